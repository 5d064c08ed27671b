// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import type { Session } from '@/document/session'
import { SessionContext } from '@/document/use-session'
import { type CurrentUser, currentUserQuery } from '@/lib/api/users'
import '@/lib/i18n'
import '@/lib/i18n/editor'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { SAMPLE, sampleFlow } from '@/test/flow-samples'
import { renderPage } from '@/test/render-page'
import { ProblemList } from './problems'

const backend = startBackend()
const asked: string[] = []

afterEach(() => {
  queryClient.clear()
  asked.length = 0
})

/** What the server offers to download; nothing where its operator forbids downloads. */
function offer(...kinds: ('text' | 'captions')[]) {
  backend.use(
    http.get('*/api/v1/connections/local/downloads', ({ request }) => {
      asked.push(request.url)
      return HttpResponse.json({ is_allowed: kinds.length > 0, items: kinds.map((kind) => ({ kind })) })
    }),
  )
}

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
  offer('text', 'captions')
  mount(true)
  expect(await screen.findByRole('link', { name: 'Download a caption model' })).toHaveAttribute(
    'href',
    '/account/connections',
  )
})

test('others, who cannot download one, are offered what they can do', async () => {
  offer('captions')
  mount(false)
  expect(await screen.findByRole('button', { name: /^Go to/ })).toBeVisible()
  expect(screen.queryByRole('link')).toBeNull()
  expect(asked).toEqual([])
})

test.each([{ kinds: [] }, { kinds: ['text' as const] }])(
  'an admin is not led to what cannot be downloaded: $kinds',
  async ({ kinds }) => {
    offer(...kinds)
    mount(true)
    await expect
      .poll(() => queryClient.getQueryState(['connections', 'downloads', 'local'])?.status)
      .toBe('success')
    expect(screen.queryByRole('link')).toBeNull()
    expect(screen.getByRole('button', { name: /^Go to/ })).toBeVisible()
  },
)
