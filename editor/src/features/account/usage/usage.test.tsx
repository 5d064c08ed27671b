// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it, test } from 'vitest'
import type { LimitUsage } from '@/lib/api/usage'
import { inUnit } from '@/lib/format'
import '@/lib/i18n/account'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { renderPage } from '@/test/render-page'
import { levelOf, resetTime } from './levels'
import { Usage } from './usage'

const backend = startBackend()

afterEach(() => queryClient.clear())

function limit(name: LimitUsage['name'], used: LimitUsage['used'], most: LimitUsage['limit']): LimitUsage {
  const unit = name.startsWith('usd') ? 'usd' : name === 'stored_bytes' ? 'bytes' : 'count'
  return { name, unit, used, limit: most, resets_at: null }
}

function show(items: LimitUsage[], book_a_call_url: string | null = null) {
  backend.use(http.get('*/users/me/usage', () => HttpResponse.json({ items, book_a_call_url })))
  renderPage(Usage)
}

it('shows each limit with figures in units and a meter that reads them out', async () => {
  show([limit('stored_bytes', 3_200_000_000, 10_000_000_000), limit('usd_per_day', '0.31', '5')])
  const meter = await screen.findByRole('meter', { name: 'Storage' })
  expect(meter).toHaveAttribute('aria-valuetext', '3.2 GB of 10 GB')
  expect(meter).toHaveAttribute('aria-valuenow', '3200000000')
  expect(screen.getByText('$0.31 of $5.00')).toBeInTheDocument()
  expect(screen.queryByText(/Almost used up/)).not.toBeInTheDocument()
})

it('says what to do near a limit and at it', async () => {
  show([limit('assets', 17_000, 20_000), limit('agents', 500, 500)])
  const row = async (name: string) => {
    const heading = await screen.findByRole('heading', { name, level: 4 })
    return within(heading.closest('li') as HTMLElement)
  }
  const [agents, assets] = [await row('Agents'), await row('Assets')]
  expect(assets.getByText(/Almost used up\. Delete assets/)).toBeInTheDocument()
  expect(assets.getByRole('link', { name: 'Open the library' })).toHaveAttribute('href', '/library')
  expect(agents.getByText(/Limit reached\. Delete agents/)).toBeInTheDocument()
})

it('offers a call, or names the operator', async () => {
  show([limit('agents', 1, 500)], 'https://calls.example/book')
  expect(await screen.findByRole('link', { name: 'Book a call' })).toHaveAttribute(
    'href',
    'https://calls.example/book',
  )
})

it('names the operator if no call can be booked', async () => {
  show([limit('agents', 1, 500)])
  expect(await screen.findByText(/Ask the operator/)).toBeInTheDocument()
})

it('can be loaded again after an error', async () => {
  backend.use(http.get('*/users/me/usage', () => HttpResponse.json({ detail: 'no' }, { status: 400 })))
  renderPage(Usage)
  const retry = await screen.findByRole('button', { name: 'Try again' })
  backend.use(
    http.get('*/users/me/usage', () =>
      HttpResponse.json({ items: [limit('agents', 1, 2)], book_a_call_url: null }),
    ),
  )
  await userEvent.click(retry)
  expect(await screen.findByRole('meter', { name: 'Agents' })).toBeInTheDocument()
})

it('says so if there are no limits', async () => {
  show([])
  expect(await screen.findByText('There are no limits on this server.')).toBeInTheDocument()
})

test.each([
  [0, 10, 'free'],
  [7, 10, 'free'],
  [8, 10, 'near'],
  [10, 10, 'reached'],
  ['5.10', '5', 'reached'],
  [0, 0, 'reached'],
] as const)('use of %s with a limit of %s is %s', (used, most, level) => {
  expect(levelOf({ used, limit: most })).toBe(level)
})

test('amounts and reset times are shown in their units', () => {
  expect([inUnit(1200, 'count'), inUnit(5_000_000, 'bytes'), inUnit('0.004', 'usd')]).toEqual([
    '1,200',
    '5 MB',
    '$0.004',
  ])
  const now = Date.parse('2026-11-22T20:00:00Z')
  expect(resetTime('2026-11-23T00:00:00Z', now)).toBe('00:00 UTC')
  expect(resetTime('2026-12-01T00:00:00Z', now)).toBe('1 Dec, 00:00 UTC')
})
