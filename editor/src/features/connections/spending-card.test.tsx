// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import '@/lib/i18n/signed-in'
import '@/lib/i18n/connections'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { renderPage } from '@/test/render-page'
import { SpendingCard } from './spending-card'

const backend = startBackend()
afterEach(() => queryClient.clear())

test('a provider that is no longer installed keeps its share of the month', async () => {
  const uninstalled = [{ provider: 'kiln', spent_usd: '0.25' }]
  backend.use(http.get('*/api/v1/connections', () => HttpResponse.json({ items: [], uninstalled })))
  renderPage(() => <SpendingCard connections={[]} />)
  expect(await screen.findByText('kiln')).toBeDefined()
  expect(screen.getAllByText('$0.25')).toHaveLength(2)
})
