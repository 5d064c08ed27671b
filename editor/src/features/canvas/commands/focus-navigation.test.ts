import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Session } from '@/document/session'
import { createViewStore } from '@/document/view-store'
import { sampleFlow } from '@/test/flow-samples'
import { focusRegion } from './focus-navigation'

// @vitest-environment jsdom

const focusNode = vi.fn()
const session = (document = sampleFlow()) =>
  ({ document, view: createViewStore(), viewport: { focusNode } }) as unknown as Session

beforeEach(() => {
  document.body.innerHTML = `
    <div data-region="canvas"><button id="canvas">Canvas</button></div>
    <div data-region="nodes"><button disabled>Shut</button><input id="nodes" /></div>
    <div data-region="run"></div>
    <div data-region="actions"><button tabindex="-1">Passed</button><button id="actions">Run</button></div>`
})

afterEach(() => {
  document.body.innerHTML = ''
  focusNode.mockReset()
})

const get = (id: string) => document.getElementById(id) as HTMLElement

test('moves to the first focusable element of the next region and skips empty regions', () => {
  get('canvas').focus()
  focusRegion(session(), false)
  expect(get('nodes')).toHaveFocus()
  focusRegion(session(), false)
  expect(get('actions')).toHaveFocus()
  focusRegion(session(), true)
  expect(get('nodes')).toHaveFocus()
})

test('enters the canvas at its first card in reading order, also after the last region', () => {
  get('actions').focus()
  focusRegion(session(), false)
  expect(focusNode).toHaveBeenCalledWith('ask')
})

test('enters an empty canvas', () => {
  get('nodes').focus()
  focusRegion(session(sampleFlow({ nodes: [], edges: [] })), true)
  expect(get('canvas')).toHaveFocus()
})

test('without focus, moves to the first region, or backwards to the last', () => {
  focusRegion(session(), true)
  expect(get('actions')).toHaveFocus()
  get('actions').blur()
  focusRegion(session(), false)
  expect(focusNode).toHaveBeenCalledWith('ask')
})
