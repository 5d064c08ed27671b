// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { Session } from '@/document/session'
import { SessionContext } from '@/document/use-session'
import { type CurrentUser, currentUserQuery } from '@/lib/api/users'
import '@/lib/i18n'
import '@/lib/i18n/editor'
import { queryClient } from '@/lib/query-client'
import { SAMPLE, sampleFlow } from '@/test/flow-samples'
import { renderPage } from '@/test/render-page'
import { ProblemList } from './problems'

afterEach(() => queryClient.clear())

function mount(isAdmin: boolean) {
  const user = { id: 'mara', is_admin: isAdmin } as CurrentUser
  queryClient.setQueryData(currentUserQuery.queryKey, user)
  const problem = {
    code: 'caption_model_missing',
    severity: 'warning' as const,
    node: 'paint',
    message: 'No caption model is on this machine.',
  }
  const session = { document: sampleFlow(), catalog: SAMPLE, canEdit: true } as unknown as Session
  renderPage(() => (
    <SessionContext value={session}>
      <ProblemList problems={[problem]} onPick={() => undefined} />
    </SessionContext>
  ))
}

test('an admin is led to the caption models', async () => {
  mount(true)
  expect(await screen.findByRole('link', { name: 'Download a caption model' })).toHaveAttribute(
    'href',
    '/account/connections',
  )
})

test('others, who cannot download one, are offered what they can do', async () => {
  mount(false)
  expect(await screen.findByRole('button', { name: /^Go to/ })).toBeVisible()
  expect(screen.queryByRole('link')).toBeNull()
})
