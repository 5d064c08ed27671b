// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { TooltipProvider } from '@/components/tooltip'
import type { Session } from '@/document/session'
import { SessionContext } from '@/document/use-session'
import { createViewStore } from '@/document/view-store'
import type { FlowDocument } from '@/graph/document'
import '@/lib/i18n'
import '@/lib/i18n/editor'
import { SAMPLE, sampleFlow } from '@/test/flow-samples'
import { InsertDialog } from './insert-dialog'

function mount(nodes: readonly string[]) {
  const session = {
    document: sampleFlow(),
    catalog: SAMPLE,
    view: createViewStore({ dialog: 'insert', nodes }),
    sizeOf: () => ({ width: 232, height: 120 }),
    edits: 0,
    edit(change: (document: FlowDocument) => FlowDocument) {
      session.document = change(session.document)
      session.edits += 1
    },
  }
  render(
    <SessionContext value={session as unknown as Session}>
      <TooltipProvider>
        <InsertDialog />
      </TooltipProvider>
    </SessionContext>,
  )
  return session
}

test('inserts a node into a connection of the selected card by keyboard, as one undo step', async () => {
  const session = mount(['paint'])
  const keys = userEvent.setup()
  expect(screen.getByRole('combobox')).toHaveFocus()
  expect(screen.getAllByRole('option')).toHaveLength(2)
  await keys.keyboard('language model{Enter}')
  expect(screen.getByRole('combobox')).toHaveAccessibleDescription(
    'Between Language model and Image generation.',
  )
  await keys.keyboard('language{Enter}')
  expect(session.edits).toBe(1)
  expect(session.document.edges).toContainEqual({ from: 'write.output', to: 'language_model.prompt' })
  expect(session.document.edges).toContainEqual({ from: 'language_model.output', to: 'paint.prompt' })
  expect(session.view.getState()).toMatchObject({ dialog: null, nodes: ['language_model'] })
})

test('a single connection is selected automatically', () => {
  mount(['animate'])
  expect(screen.getByText('Between Image generation and Video generation.')).toBeVisible()
})
