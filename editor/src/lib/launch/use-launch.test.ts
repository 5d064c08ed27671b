// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createElement, type ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { startBackend } from '@/test/backend'
import { ApiError } from '../api/error'
import type { FlowDetail } from '../api/flows'
import { queryClient } from '../query-client'
import { rejectedFields, useLaunch } from './use-launch'

const backend = startBackend()
const AGENT = { id: 'agent', name: 'Echo', inputs: null, estimate: null } as unknown as FlowDetail

/** A launch against a sequence of server responses; returns the idempotency keys of the requests. */
function launching(...answers: (() => Response)[]) {
  const keys: (string | null)[] = []
  backend.use(
    http.post('*/flows/agent/runs', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'))
      return answers[keys.length - 1]?.() ?? started()
    }),
    http.post('*/flows/agent/estimate', () => HttpResponse.json({ usd: null, seconds: null })),
    http.get('*/users/me', () => HttpResponse.json({ id: 'mara' })),
  )
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: queryClient }, children)
  const onStarted = vi.fn()
  const { result } = renderHook(() => useLaunch({ flow: AGENT, onStarted }), { wrapper })
  const press = async () => {
    const before = keys.length
    act(() => result.current.start())
    await waitFor(() => expect(keys.length).toBeGreaterThan(before))
    await waitFor(() => expect(result.current.starting).toBe(false))
  }
  const pressTwice = async () => {
    act(() => {
      result.current.start()
      result.current.start()
    })
    await waitFor(() => expect(onStarted).toHaveBeenCalled())
  }
  return { keys, press, pressTwice, onStarted }
}

const started = () => HttpResponse.json({ id: 'run' }, { status: 202 })
const refused = () => HttpResponse.json({ code: 'quota_exceeded', detail: 'Enough.' }, { status: 429 })

describe('a launch', () => {
  it('repeats its idempotency key after a lost response', async () => {
    const { keys, press, onStarted } = launching(HttpResponse.error, started)
    await press()
    expect(onStarted).not.toHaveBeenCalled()
    await press()
    expect(onStarted).toHaveBeenCalledOnce()
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
  })

  it('is requested once by two presses at once', async () => {
    const { keys, pressTwice, onStarted } = launching(started, started)
    await pressTwice()
    expect(keys).toHaveLength(1)
    expect(onStarted).toHaveBeenCalledOnce()
  })

  it('uses a new idempotency key after it has started, and after it was refused', async () => {
    const { keys, press } = launching(started, refused, started)
    await press()
    await press()
    await press()
    expect(new Set(keys).size).toBe(3)
  })
})

it('assigns the errors of the server to the fields', () => {
  const errors = [
    { path: 'inputs.product', code: 'unknown_asset', message: 'There is no asset nope.' },
    { path: 'inputs.shots.0.scene', code: 'too_long', message: 'At most 200 characters.' },
  ]
  const refusal = new ApiError(422, { code: 'inputs_invalid', detail: 'Some inputs are wrong', errors })
  expect(rejectedFields(refusal)).toEqual({
    product: 'There is no asset nope.',
    shots: 'At most 200 characters.',
  })
})

it('assigns no other errors to the fields', () => {
  expect(rejectedFields(new ApiError(429, { code: 'quota_exceeded' }))).toEqual({})
  expect(rejectedFields(new Error('no'))).toEqual({})
  expect(rejectedFields(null)).toEqual({})
})
