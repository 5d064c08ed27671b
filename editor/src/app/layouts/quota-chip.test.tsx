// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentUserQuery, followCurrentUser } from '@/lib/api/users'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/signed-in'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { QuotaChip } from './quota-chip'

const MIDNIGHT = '2026-11-22T00:00:00Z'
const backend = startBackend()
const user = (used: number, resets_at: string) => ({ id: 'mara', quota: { limit: 50, used, resets_at } })

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse(MIDNIGHT) - 60_000, shouldAdvanceTime: true })
  queryClient.setQueryData(currentUserQuery.queryKey, user(50, MIDNIGHT) as never)
  backend.use(http.get('*/users/me', () => HttpResponse.json(user(0, '2026-11-23T00:00:00Z'))))
  render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <QuotaChip />
      </QueryClientProvider>
    </I18nextProvider>,
  )
})

afterEach(() => {
  vi.useRealTimers()
  queryClient.clear()
})

it('updates after midnight without a reload', async () => {
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(screen.getByText('0 of 50 runs left today')).toBeInTheDocument()
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(await screen.findByText('50 of 50 runs left today')).toBeInTheDocument()
})

it('follows the quota used in another tab', async () => {
  followCurrentUser()
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'impasto.user-changed' })))
  expect(await screen.findByText('50 of 50 runs left today')).toBeInTheDocument()
})
