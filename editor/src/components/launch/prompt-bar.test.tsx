// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import events from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { beforeEach, expect, it, vi } from 'vitest'
import { TooltipProvider } from '@/components/tooltip'
import type { FlowDetail } from '@/lib/api/flows'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/signed-in'
import { useLaunch } from '@/lib/launch/use-launch'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { BookingDialog } from './booking-dialog'
import { PromptBar, usePromptFiles } from './prompt-bar'

const backend = startBackend()
const userEvent = events.setup({ delay: null })
const inputs = { properties: { product: { title: 'Product', 'x-type': 'Image' } } }
const AGENT = { id: 'agent', name: 'Echo', inputs, estimate: null } as unknown as FlowDetail
const launched = vi.fn()

beforeEach(() => {
  launched.mockReset()
  URL.createObjectURL = () => 'blob:here'
  URL.revokeObjectURL = () => undefined
  backend.use(
    http.post('*/flows/agent/estimate', () => HttpResponse.json({ usd: null, seconds: null })),
    http.post('*/flows/agent/runs', () => {
      launched()
      return HttpResponse.json({ id: 'run' }, { status: 202 })
    }),
    http.get('*/users/me', () => HttpResponse.json({ id: 'mara' })),
  )
})

type Chosen = { flow?: FlowDetail | undefined; coming?: string | null; sent?: string[] }

function Bar({ onStarted, flow, coming = null, sent = [] }: Chosen & { onStarted: () => void }) {
  const [draft] = useState({ prompt: '', images: sent })
  const launch = useLaunch({ flow, draft, onStarted })
  const { refused, take } = usePromptFiles(launch)
  return <PromptBar flow={flow} coming={coming} launch={launch} rejected={refused} onFiles={take} autoFocus />
}

function page(onStarted: () => void, chosen: Chosen) {
  return (
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <Bar onStarted={onStarted} {...chosen} />
        </TooltipProvider>
      </QueryClientProvider>
    </I18nextProvider>
  )
}

function show(onStarted = vi.fn()) {
  render(page(onStarted, { flow: AGENT }))
  return onStarted
}

const launch = () => userEvent.click(screen.getByRole('button', { name: /^Launch/ }))
const choose = (name: string) =>
  userEvent.upload(
    screen.getByLabelText('Images', { selector: 'input' }),
    new File(['MZ'], name, { type: 'image/png' }),
  )

it('takes the focus, but not from a menu that was opened while the page loaded', () => {
  const { unmount } = render(page(vi.fn(), { flow: AGENT }))
  expect(screen.getByRole('textbox')).toHaveFocus()
  unmount()
  const menu = document.body.appendChild(document.createElement('div'))
  menu.setAttribute('role', 'menu')
  const item = menu.appendChild(document.createElement('button'))
  item.focus()
  show()
  expect(item).toHaveFocus()
  menu.remove()
})

it('launches once, however often Launch is pressed before the results open', async () => {
  const onStarted = show()
  await launch()
  await waitFor(() => expect(onStarted).toHaveBeenCalledOnce())
  await launch()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(launched).toHaveBeenCalledOnce()
})

it('launches the agent that was loading when Launch was pressed, and no other', async () => {
  const onStarted = vi.fn()
  const { rerender } = render(page(onStarted, { coming: 'agent' }))
  await launch()
  expect(screen.queryByRole('alert')).toBeNull()
  rerender(page(onStarted, { flow: { ...AGENT, id: 'other' } }))
  expect(screen.getByRole('button', { name: /^Launch/ })).not.toHaveAttribute('aria-busy')
  rerender(page(onStarted, { coming: 'agent' }))
  await launch()
  expect(screen.getByRole('button', { name: /^Launch/ })).toHaveAttribute('aria-busy')
  rerender(page(onStarted, { flow: AGENT }))
  await waitFor(() => expect(onStarted).toHaveBeenCalledOnce())
})

it('launches assets from the library with their types, even if Launch is pressed early', async () => {
  const inputs = { properties: { clip: { title: 'Clip', 'x-type': 'Video' } }, required: ['clip'] }
  const flow = { ...AGENT, inputs } as unknown as FlowDetail
  let tell = () => {}
  const typesRequested = new Promise<void>((done) => {
    tell = done
  })
  const asked = vi.fn()
  backend.use(
    http.get('*/assets/', async () => {
      await typesRequested
      return HttpResponse.json([{ id: 'clip-1', kind: 'video', name: 'Teaser', thumbnail_url: null }])
    }),
    http.post('*/flows/agent/runs', async ({ request }) => {
      asked(await request.json())
      return HttpResponse.json({ id: 'run' }, { status: 202 })
    }),
  )
  render(page(vi.fn(), { flow, sent: ['clip-1'] }))
  await launch()
  expect(screen.queryByRole('alert')).toBeNull()
  tell()
  await waitFor(() =>
    expect(asked).toHaveBeenCalledWith(
      expect.objectContaining({ inputs: { clip: { $type: 'Video', asset_id: 'clip-1' } } }),
    ),
  )
})

it('names the image that the server refused, and does not launch without it', async () => {
  const detail = 'This image cannot be read: the file is damaged or something else.'
  backend.use(
    http.post('*/assets/', () => HttpResponse.json({ code: 'file_refused', detail }, { status: 422 })),
  )
  show()
  await choose('setup.png')
  expect(await screen.findByText(`setup.png could not be uploaded. ${detail}`)).toBeVisible()
  // The code of the thumbnails is loaded when there is one.
  const remove = await screen.findByRole('button', { name: 'Remove setup.png' })
  expect(screen.queryByRole('button', { name: 'Retry setup.png' })).toBeNull()
  await launch()
  expect(await screen.findByText('Retry the failed upload, or remove the file.')).toBeVisible()
  expect(launched).not.toHaveBeenCalled()
  await userEvent.click(remove)
  expect(screen.queryByText(/could not be uploaded/)).toBeNull()
  await launch()
  await waitFor(() => expect(launched).toHaveBeenCalledOnce())
})

it('offers to retry an image whose upload failed', async () => {
  backend.use(http.post('*/assets/', () => HttpResponse.error()))
  show()
  await choose('can.png')
  backend.use(http.post('*/assets/', () => HttpResponse.json({ id: 'asset-1' }, { status: 201 })))
  await userEvent.click(await screen.findByRole('button', { name: 'Retry can.png' }))
  await waitFor(() => expect(screen.queryByText(/could not be uploaded/)).toBeNull())
})

it('does not launch with more images than the agent takes', async () => {
  let count = 0
  backend.use(
    http.post('*/assets/', () => {
      count += 1
      return HttpResponse.json({ id: `asset-${count}` }, { status: 201 })
    }),
  )
  show()
  await choose('one.png')
  await choose('two.png')
  expect(await screen.findByText('Echo has no input for the last image.')).toBeVisible()
  await waitFor(() => expect(count).toBe(2))
  await launch()
  expect(launched).not.toHaveBeenCalled()
  await userEvent.click(await screen.findByRole('button', { name: 'Remove two.png' }))
  await launch()
  await waitFor(() => expect(launched).toHaveBeenCalledOnce())
})

it('offers images only to agents that take some', () => {
  const inputs = { properties: { topic: { title: 'Topic', type: 'string' } } }
  render(page(vi.fn(), { flow: { ...AGENT, inputs } as unknown as FlowDetail }))
  expect(screen.queryByRole('button', { name: 'Add images' })).toBeNull()
})

it('says whom to ask where no call can be booked', () => {
  render(
    <I18nextProvider i18n={i18n}>
      <TooltipProvider>
        <BookingDialog booking={{ reason: 'quota', url: null }} onClose={vi.fn()} />
      </TooltipProvider>
    </I18nextProvider>,
  )
  expect(screen.getByRole('dialog')).toHaveTextContent('contact an admin of this server')
  expect(screen.queryByRole('link', { name: 'Book a call' })).toBeNull()
})

const WRITER = {
  ...AGENT,
  inputs: { properties: { brief: { type: 'string', 'x-type': 'Text', 'x-node': 'user_prompt' } } },
} as unknown as FlowDetail

it('asks before it launches without a prompt', async () => {
  const onStarted = vi.fn()
  render(page(onStarted, { flow: WRITER }))
  await launch()
  expect(screen.getByRole('alert')).toHaveTextContent('You have written no prompt.')
  expect(launched).not.toHaveBeenCalled()
  await launch()
  await waitFor(() => expect(onStarted).toHaveBeenCalledOnce())
})

it('says that an agent is in private beta before the prompt is written', async () => {
  backend.use(
    http.get('*/users/me', () =>
      HttpResponse.json({ id: 'mara', book_a_call_url: 'https://calls.example/' }),
    ),
  )
  queryClient.clear()
  const closed = { ...WRITER, beta: true, permissions: { beta: false } } as unknown as FlowDetail
  const { unmount } = render(page(vi.fn(), { flow: closed }))
  expect(await screen.findByText(/Echo is in private beta/)).toBeInTheDocument()
  expect(await screen.findByRole('link', { name: /Book a call/ })).toHaveAttribute(
    'href',
    'https://calls.example/',
  )
  unmount()
  render(page(vi.fn(), { flow: { ...closed, permissions: { beta: true } } as unknown as FlowDetail }))
  expect(screen.queryByText(/private beta/)).not.toBeInTheDocument()
})
