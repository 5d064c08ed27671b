// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Toaster } from '@/components/toaster'
import { TooltipProvider } from '@/components/tooltip'
import { createFlowStore } from '@/document/flow-store'
import type { Session } from '@/document/session'
import { SessionContext } from '@/document/use-session'
import { createViewStore } from '@/document/view-store'
import { renameNode } from '@/graph/edits/nodes'
import '@/lib/i18n'
import '@/lib/i18n/editor'
import { SAMPLE, sampleFlow } from '@/test/flow-samples'
import { SwapDialog } from './swap-dialog'

test('the notification of what did not fit names the new type, even if the node has a title of its own', async () => {
  const flow = createFlowStore(renameNode(sampleFlow(), 'paint', 'Poster'))
  const session = {
    flow,
    get document() {
      return flow.document
    },
    catalog: SAMPLE,
    view: createViewStore({ dialog: 'swap', nodes: ['paint'] }),
    edit: flow.edit,
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
