// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createElement, type ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { beforeEach, expect, it, vi } from 'vitest'
import { startBackend } from '@/test/backend'
import { i18n } from '../i18n'
import '../i18n/signed-in'
import { useToasts } from '../toasts'
import { useProvenance } from './use-provenance'

const navigate = vi.hoisted(() => vi.fn())
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }))

const backend = startBackend()
const file = (type: string) => new File(['x'], 'it', { type })
const MADE = { found: true, run_id: 'run', flow_id: 'agent', flow_name: 'Jugs', can_open: true }

function tracing(answer: object | null, withDetails = true) {
  const asked = vi.fn()
  backend.use(
    http.post('*/assets/trace', () => {
      asked()
      return answer ? HttpResponse.json(answer) : HttpResponse.error()
    }),
  )
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(I18nextProvider, { i18n }, children)
  const details = vi.fn()
  const { result } = renderHook(() => useProvenance(withDetails ? details : undefined), { wrapper })
  return { trace: result.current, asked, details }
}

beforeEach(() => {
  navigate.mockReset()
  useToasts.setState({ toasts: [] })
})

it.each(['image/png', 'video/mp4', 'audio/wav'])(
  'offers to open the agent that made a file of %s',
  async (type) => {
    const { trace } = tracing(MADE, false)
    expect(await trace([file(type)])).toBe(true)
    const [notice] = useToasts.getState().toasts
    expect(notice?.title).toBe('Made with Jugs')
    notice?.action?.onPress()
    expect(navigate).toHaveBeenCalledWith({ to: '/run/$runId', params: { runId: 'run' } })
  },
)

it.each([
  {
    credentials: { signer: 'Acme' },
    matches: [],
    title: 'This file has content credentials',
    text: 'Signed by Acme',
  },
  {
    credentials: null,
    matches: [],
    watermark: true,
    title: 'AI made this image with Impasto',
    text: undefined,
  },
  {
    credentials: null,
    matches: [{ asset: { name: 'jug.png' }, certainty: 0.9 }],
    title: 'Like an image in your library',
    text: 'jug.png',
  },
])('offers the details of a file that no agent made: $title', async ({ title, text, ...found }) => {
  const { trace, details } = tracing({ found: false, ...found })
  expect(await trace([file('image/png')])).toBe(false)
  const [notice] = useToasts.getState().toasts
  expect([notice?.title, notice?.description]).toEqual([title, text])
  notice?.action?.onPress()
  expect(details).toHaveBeenCalledWith({ name: 'it', trace: { found: false, ...found } })
})

it('offers the details of a file that an agent made', async () => {
  const { trace, details } = tracing(MADE)
  expect(await trace([file('image/png')])).toBe(true)
  useToasts.getState().toasts[0]?.action?.onPress()
  expect(details).toHaveBeenCalledWith({ name: 'it', trace: MADE })
  expect(navigate).not.toHaveBeenCalled()
})

it('ignores files made elsewhere, and files that the server cannot read', async () => {
  expect(await tracing({ found: false }).trace([file('image/png')])).toBe(false)
  expect(await tracing(null).trace([file('image/png')])).toBe(false)
  expect(useToasts.getState().toasts).toEqual([])
})

it('uploads nothing but a single image, video or audio file', async () => {
  const { trace, asked } = tracing(MADE)
  expect(await trace([file('application/pdf')])).toBe(false)
  expect(await trace([file('image/png'), file('image/png')])).toBe(false)
  expect(asked).not.toHaveBeenCalled()
})

it.each([
  [
    'names the agent, and shows the prompt',
    { ...MADE, made_by: { prompt: 'A jug' } },
    'Made with Jugs',
    'A jug',
  ],
  [
    'shows no prompt where none is known',
    { ...MADE, made_by: { prompt: null } },
    'Made with Jugs',
    undefined,
  ],
  ['shows no prompt where nothing is known', MADE, 'Made with Jugs', undefined],
])('%s', async (_, made, title, text) => {
  expect(await tracing(made, false).trace([file('image/png')])).toBe(true)
  expect(useToasts.getState().toasts).toMatchObject([{ title, description: text }])
})

it('shows that a file was made, without an action where the agent cannot be opened', async () => {
  const { trace } = tracing({ ...MADE, flow_name: null, can_open: false }, false)
  expect(await trace([file('image/png')])).toBe(true)
  const [notice] = useToasts.getState().toasts
  expect(notice).toMatchObject({ title: 'Made with an agent', action: undefined })
})

it.each([
  ['the organization, if it is known', { signer: 'Kim', organization: 'Acme' }, 'Signed by Acme'],
  ['no signer, if none is known', { signer: null }, undefined],
])('names %s, for a file with content credentials', async (_, credentials, text) => {
  await tracing({ found: false, credentials, matches: [] }).trace([file('image/png')])
  expect(useToasts.getState().toasts.map(({ description }) => description)).toEqual([text])
})

it('shows nothing of a file that no agent made where the details cannot be shown', async () => {
  await tracing({ found: false, credentials: { signer: 'Acme' }, matches: [] }, false).trace([
    file('image/png'),
  ])
  expect(useToasts.getState().toasts).toEqual([])
})
