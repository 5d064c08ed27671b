// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createElement, type ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { startBackend } from '@/test/backend'
import { customizationQuery } from '../api/customizations'
import type { FlowDetail } from '../api/flows'
import { clearSession, setSession } from '../api/session'
import { queryClient } from '../query-client'
import { saved } from './brands'
import { acceptedValues, forgetInputs, saveInput, saveInputs } from './customization'
import { fieldsOf } from './fields'
import { useLaunch } from './use-launch'

const backend = startBackend()
const inputs = {
  properties: {
    brief: { type: 'string', 'x-type': 'Text', 'x-node': 'user_prompt' },
    brand: { type: 'object', 'x-type': 'Brand' },
    'hero.n_images': {
      type: 'integer',
      default: 3,
      minimum: 1,
      maximum: 6,
      'x-type': 'Integer',
      'x-setting': 'n_images',
    },
    'hero.aspect_ratio': {
      type: 'string',
      default: '1:1',
      enum: ['1:1', '4:5'],
      'x-type': 'Text',
      'x-setting': 'aspect_ratio',
    },
  },
}
const AGENT = { id: 'agent', name: 'Echo', inputs, estimate: null } as unknown as FlowDetail
const fields = fieldsOf(inputs)
const count = fields[2] ?? expect.fail('The form has a number.')

/** A server that stores the values of one agent; `sent` has each change. */
function server(stored: Record<string, unknown>) {
  const sent: Record<string, unknown>[] = []
  let values = stored
  const answer = () => HttpResponse.json({ values, updated_at: null })
  backend.use(
    http.get('*/flows/agent/customization', answer),
    http.patch('*/flows/agent/customization', async ({ request }) => {
      const body = (await request.json()) as { values: Record<string, unknown> }
      sent.push(body.values)
      const changed = Object.entries({ ...values, ...body.values }).filter(([, value]) => value !== null)
      values = Object.fromEntries(changed)
      return answer()
    }),
    http.delete('*/flows/agent/customization', () => {
      sent.push({ reset: true })
      values = {}
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('*/flows/agent/estimate', () => HttpResponse.json({ usd: null, seconds: null })),
    http.get('*/brands', () => HttpResponse.json({ items: [], next_cursor: null })),
  )
  return { sent, current: () => values }
}

function open() {
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: queryClient }, children)
  return renderHook(() => useLaunch({ flow: AGENT, onStarted: vi.fn() }), { wrapper }).result
}

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
})

it('starts a launch with the values that another browser has set', async () => {
  server({ 'hero.n_images': 5, brand: saved('volt') })
  const launch = open()
  expect(launch.current.isResolving).toBe(true)
  await waitFor(() => expect(launch.current.filled['hero.n_images']).toBe(5))
  expect(launch.current.filled['hero.aspect_ratio']).toBe('1:1')
})

it('stores a setting when it is set, and removes all when they are reset', async () => {
  const { sent, current } = server({ 'hero.aspect_ratio': '4:5' })
  const launch = open()
  await waitFor(() => expect(launch.current.filled['hero.aspect_ratio']).toBe('4:5'))
  act(() => launch.current.change(count, 6))
  await waitFor(() => expect(current()).toEqual({ 'hero.aspect_ratio': '4:5', 'hero.n_images': 6 }))
  expect(launch.current.filled['hero.n_images']).toBe(6)
  act(() => launch.current.reset())
  await waitFor(() => expect(sent.at(-1)).toEqual({ reset: true }))
  await waitFor(() => expect(launch.current.filled['hero.aspect_ratio']).toBe('1:1'))
})

it('sends the changes of a slider one after another, the last of them last', async () => {
  const { sent, current } = server({})
  for (const value of [1, 2, 4, 5]) saveInput('agent', count, value)
  await waitFor(() => expect(current()).toEqual({ 'hero.n_images': 5 }))
  expect(sent.length).toBeLessThan(4)
  saveInput('agent', count, 6)
  forgetInputs('agent')
  saveInput('agent', count, 2)
  await waitFor(() => expect(current()).toEqual({ 'hero.n_images': 2 }))
})

it('stores the inputs of a launch without prompt, and none that are the agent’s own', async () => {
  const { sent } = server({})
  saveInputs('agent', fields, {
    brief: 'A can',
    brand: saved('volt'),
    'hero.n_images': 3,
    'hero.aspect_ratio': '4:5',
  })
  await waitFor(() => expect(sent).toEqual([{ 'hero.n_images': null, 'hero.aspect_ratio': '4:5' }]))
})

const shown = () => queryClient.getQueryData(customizationQuery('agent').queryKey)?.values

it('takes back what could not be stored', async () => {
  server({ 'hero.n_images': 2 })
  await queryClient.fetchQuery(customizationQuery('agent'))
  backend.use(http.patch('*/flows/agent/customization', () => new HttpResponse(null, { status: 503 })))
  saveInput('agent', count, 6)
  expect(shown()).toEqual({ 'hero.n_images': 6 })
  await waitFor(() => expect(shown()).toEqual({ 'hero.n_images': 2 }))
})

it('shows what is being stored over an older response', async () => {
  server({ 'hero.n_images': 2 })
  await queryClient.fetchQuery(customizationQuery('agent'))
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  backend.use(
    http.patch('*/flows/agent/customization', async () => {
      await held
      return HttpResponse.json({ values: { 'hero.n_images': 6 }, updated_at: null })
    }),
  )
  saveInput('agent', count, 6)
  await queryClient.fetchQuery({ ...customizationQuery('agent'), staleTime: 0 })
  expect(shown()).toEqual({ 'hero.n_images': 6 })
  answer()
  await waitFor(() => expect(shown()).toEqual({ 'hero.n_images': 6 }))
})

/** A session of a user, as the identity service answers it. */
function sessionOf(subject: string) {
  const claims = btoa(JSON.stringify({ sub: subject, iat: 0, exp: 900 }))
  return { identity_token: `head.${claims}.signature`, expires_at: '2030-01-01T00:00:00Z' }
}

it('stores nothing of one user for the next one', async () => {
  setSession(sessionOf('mara'))
  const { sent } = server({})
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  const first = vi.fn()
  backend.use(
    http.patch(
      '*/flows/agent/customization',
      async () => {
        first()
        await held
        return HttpResponse.json({ values: {}, updated_at: null })
      },
      { once: true },
    ),
  )
  saveInput('agent', count, 4)
  saveInput('agent', count, 5)
  await waitFor(() => expect(first).toHaveBeenCalledOnce())
  clearSession(true)
  queryClient.clear()
  setSession(sessionOf('jiri'))
  answer()
  saveInput('agent', count, 1)
  await waitFor(() => expect(sent).toEqual([{ 'hero.n_images': 1 }]))
  clearSession(true)
})

it('sends what was reset and set again as one request when the page is left', async () => {
  const { sent } = server({ 'hero.n_images': 2, 'hero.aspect_ratio': '4:5' })
  await queryClient.fetchQuery(customizationQuery('agent'))
  backend.use(http.delete('*/flows/agent/customization', () => new Promise<never>(() => undefined)))
  forgetInputs('agent')
  saveInput('agent', count, 5)
  window.dispatchEvent(new Event('pagehide'))
  await waitFor(() => expect(sent).toEqual([{ 'hero.n_images': 5, 'hero.aspect_ratio': null }]))
})

it('leaves out values that the agent no longer accepts', () => {
  const stored = { 'hero.n_images': 9, 'hero.aspect_ratio': '21:9', gone: 1 }
  expect(acceptedValues(fields, stored)).toEqual({})
  expect(acceptedValues(fields, { 'hero.n_images': 6 })).toEqual({ 'hero.n_images': 6 })
})
