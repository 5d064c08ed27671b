// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/runs'
import '@/lib/i18n/signed-in'
import { emptyRun } from '@/lib/run/reduce'
import type { RunStatus } from '@/lib/run/types'
import { RunNotices } from './run-notices'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const show = (status: RunStatus, queuePosition: number | null) =>
  render(
    <I18nextProvider i18n={i18n}>
      <RunNotices
        state={{ ...emptyRun(), status }}
        stream="live"
        queuePosition={queuePosition}
        onResume={null}
        resuming={false}
      />
    </I18nextProvider>,
  )

it('shows the place of a waiting run in the queue', () => {
  show('queued', 3)
  act(() => vi.advanceTimersByTime(1000))
  expect(screen.getByText('Waiting for a free place (3 before you)')).toBeInTheDocument()
})

it('says that a run is next', () => {
  show('queued', 0)
  act(() => vi.advanceTimersByTime(1000))
  expect(screen.getByText('Waiting for a free place. This run is next.')).toBeInTheDocument()
})

it('shows no notice for a run that starts at once', () => {
  show('queued', 0)
  act(() => vi.advanceTimersByTime(900))
  expect(screen.queryByText(/free place/)).toBeNull()
})

it('shows no notice for a running run', () => {
  show('running', null)
  act(() => vi.advanceTimersByTime(5000))
  expect(screen.queryByText(/free place/)).toBeNull()
})
