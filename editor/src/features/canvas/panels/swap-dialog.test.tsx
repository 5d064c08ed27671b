// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Toaster } from '@/components/toaster'
import { TooltipProvider } from '@/components/tooltip'
import type { Session } from '@/document/session'
import { SessionContext } from '@/document/use-session'
import { createViewStore } from '@/document/view-store'
import type { FlowDocument } from '@/graph/document'
import { renameNode } from '@/graph/edits/nodes'
import '@/lib/i18n'
import '@/lib/i18n/editor'
import { SAMPLE, sampleFlow } from '@/test/flow-samples'
import { SwapDialog } from './swap-dialog'

test('the notification of what did not fit names the new type, even if the node has a title of its own', async () => {
  const session = {
    document: renameNode(sampleFlow(), 'paint', 'Poster'),
    catalog: SAMPLE,
    view: createViewStore({ dialog: 'swap', nodes: ['paint'] }),
    edit(change: (document: FlowDocument) => FlowDocument) {
      session.document = change(session.document)
    },
  }
  render(
    <SessionContext value={session as unknown as Session}>
      <TooltipProvider>
        <SwapDialog />
        <Toaster />
      </TooltipProvider>
    </SessionContext>,
  )
  await userEvent.setup().keyboard('language model{Enter}')
  expect(screen.getByText('Swapped for Language model')).toBeVisible()
})
