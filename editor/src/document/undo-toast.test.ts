// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { removeNodes } from '@/graph/edits/nodes'
import { useToasts } from '@/lib/toasts'
import { sampleFlow } from '@/test/flow-samples'
import { createFlowStore } from './flow-store'
import type { Session } from './session'
import { closeToastWithUndo, toastWithUndo } from './undo-toast'

/** A session of which `remove` takes a node out. */
function openSession() {
  const flow = createFlowStore(sampleFlow())
  const session = {
    flow,
    get document() {
      return flow.document
    },
  } as unknown as Session
  const remove = (id: string) => flow.edit((document) => removeNodes(document, new Set([id])))
  const nodes = () => flow.document.nodes.map(({ id }) => id)
  return { session, remove, nodes }
}

const shown = () => useToasts.getState().toasts[0]

it('undoes the edit that it names', () => {
  const { session, remove, nodes } = openSession()
  const before = nodes()
  remove('write')
  toastWithUndo(session, { title: 'Removed' })
  expect(nodes()).not.toEqual(before)
  shown()?.action?.onPress()
  expect(nodes()).toEqual(before)
})

it('offers no undo after a further edit, which it would undo instead', () => {
  const { session, remove } = openSession()
  remove('write')
  toastWithUndo(session, { title: 'Removed' })
  remove('ask')
  expect(shown()).toMatchObject({ title: 'Removed', open: true })
  expect(shown()?.action).toBeUndefined()
})

it('restores by an edit of its own after a further edit', () => {
  const { session, remove } = openSession()
  const restore = vi.fn()
  remove('write')
  toastWithUndo(session, { title: 'Replaced' }, restore)
  remove('ask')
  shown()?.action?.onPress()
  expect(restore).toHaveBeenCalledOnce()
})

it('closes when its agent is left, and not when another one is', () => {
  const [one, other] = [openSession().session, openSession().session]
  toastWithUndo(one, { title: 'Removed' })
  toastWithUndo(other, { title: 'Dissolved' })
  closeToastWithUndo(one)
  expect(shown()).toMatchObject({ title: 'Dissolved', open: true })
  closeToastWithUndo(other)
  expect(shown()?.open).toBe(false)
})
