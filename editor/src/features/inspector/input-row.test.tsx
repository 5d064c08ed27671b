// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { TooltipProvider } from '@/components/tooltip'
import type { Session } from '@/document/session'
import { SessionContext } from '@/document/use-session'
import { createViewStore } from '@/document/view-store'
import type { FlowEdge } from '@/graph/document'
import { inputPorts } from '@/graph/ports'
import '@/lib/i18n'
import '@/lib/i18n/editor'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { InputRow } from './input-row'

/** Shows an input of the node `it` that edges from these nodes feed. */
function mount(type: string, name: string, ...sources: readonly string[]) {
  const edges: FlowEdge[] = sources.map((source) => ({ from: `${source}.output`, to: `it.${name}` }))
  const node = sampleNode('it', type)
  const flow = sampleFlow({
    nodes: [sampleNode('one', 'video_generation'), sampleNode('two', 'video_generation'), node],
    edges,
  })
  const view = createViewStore()
  const store = createStore(() => ({ document: flow }))
  const session = { document: flow, catalog: SAMPLE, view, canEdit: true, flow: { store } }
  const port = inputPorts(node, SAMPLE.type(type)).find((one) => one.name === name)
  if (!port) throw new Error(`no input ${name}`)
  render(
    <SessionContext value={session as unknown as Session}>
      <TooltipProvider>
        <InputRow node={node} port={port} edges={edges} />
      </TooltipProvider>
    </SessionContext>,
  )
  return view
}

test('an input that takes a list offers another connection, and has its title once', async () => {
  const view = mount('join_clips', 'clips', 'one', 'two')
  expect(screen.getAllByRole('button', { name: 'Disconnect' })).toHaveLength(2)
  expect(screen.getAllByText('Clips')).toHaveLength(1)
  await userEvent.setup().click(screen.getByRole('button', { name: 'Connect another' }))
  expect(view.getState()).toMatchObject({
    dialog: 'connect',
    port: { end: { node: 'it', port: 'clips' }, side: 'target' },
  })
})

test('an input that takes one value offers no second connection', () => {
  mount('video_generation', 'image', 'one')
  expect(screen.getByRole('button', { name: 'Disconnect' })).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Connect/ })).toBeNull()
})
