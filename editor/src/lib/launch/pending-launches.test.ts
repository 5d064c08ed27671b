// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startBackend } from '@/test/backend'
import { ApiError } from '../api/error'
import { forgetFailedWork, rememberWork } from '../api/pending-work'
import { clearSession } from '../api/session'
import { findPendingLaunch, startPendingLaunch } from './pending-launches'

const backend = startBackend()
const launch = { kind: 'form', key: 'k1', flowId: 'agent', body: { inputs: { prompt: 'A can' } } } as const

beforeEach(() => window.history.pushState(null, '', '/'))
afterEach(() => {
  sessionStorage.clear()
  vi.useRealTimers()
})

describe('a launch without a response', () => {
  it('is found by the reloaded page, of the same address and kind only', () => {
    rememberWork(launch)
    expect(findPendingLaunch('form')).toEqual(launch)
    expect(findPendingLaunch('canvas')).toBeNull()
    window.history.pushState(null, '', '/library')
    expect(findPendingLaunch('form')).toBeNull()
  })

  it('is not continued after 15 minutes', () => {
    vi.useFakeTimers()
    rememberWork(launch)
    vi.advanceTimersByTime(15 * 60_000)
    expect(findPendingLaunch('form')).toBeNull()
  })

  it('is not continued for another user', () => {
    sessionStorage.setItem(
      'impasto.pending',
      JSON.stringify([{ work: launch, page: '/', user: 'someone-else', at: Date.now() }]),
    )
    clearSession()
    expect(findPendingLaunch('form')).toBeNull()
  })

  it('is kept for a moment when its request was aborted, and forgotten if the page stays', () => {
    vi.useFakeTimers()
    rememberWork(launch)
    forgetFailedWork('k1', ApiError.unreachable())
    expect(findPendingLaunch('form')).toEqual(launch)
    vi.advanceTimersByTime(1000)
    expect(findPendingLaunch('form')).toBeNull()
  })

  it('is forgotten at once when it was refused', () => {
    rememberWork(launch)
    forgetFailedWork('k1', new ApiError(422, { code: 'inputs_invalid' }))
    expect(findPendingLaunch('form')).toBeNull()
  })
})

it('waits for the first request with its key, and returns its run', async () => {
  const keys: (string | null)[] = []
  backend.use(
    http.post('*/flows/agent/runs', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'))
      expect(findPendingLaunch('form')?.key).toBe('k1')
      const problem = { code: 'idempotency_in_progress', detail: 'Wait.' }
      return keys.length === 1
        ? HttpResponse.json(problem, { status: 409, headers: { 'Retry-After': '0.01' } })
        : HttpResponse.json({ id: 'run' }, { status: 202 })
    }),
    http.get('*/users/me', () => HttpResponse.json({ id: 'mara' })),
  )
  expect((await startPendingLaunch('agent', launch.body, 'k1')).id).toBe('run')
  expect(keys).toEqual(['k1', 'k1'])
  expect(findPendingLaunch('form')).toBeNull()
})
