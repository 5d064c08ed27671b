// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
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
import { PromptBar } from './prompt-bar'

const backend = startBackend()
const userEvent = events.setup({ delay: null })
const launched = vi.fn()

const image = { 'x-node': 'image_generation', 'x-group': 'Hero images', 'x-makes': 'Image' }
const FLOW = {
  id: 'kit',
  name: 'Kit',
  estimate: null,
  inputs: {
    properties: {
      brief: { type: 'string', title: 'Brief', 'x-type': 'Text', 'x-node': 'user_prompt' },
      'images.n': {
        ...image,
        type: 'integer',
        title: 'Number',
        minimum: 1,
        maximum: 3,
        default: 2,
        'x-setting': 'n',
      },
      'images.model': {
        ...image,
        type: 'string',
        title: 'Model',
        default: '',
        'x-setting': 'model',
        'x-ui': { options: true },
      },
    },
  },
} as unknown as FlowDetail

const MODELS = {
  items: [
    { value: 'draft', label: 'Local renderer', group: 'This computer', detail: '$0.00', value_schema: null },
    {
      value: 'gpt',
      label: 'GPT Image',
      group: 'OpenAI',
      detail: 'OpenAI, $0.03 per image',
      value_schema: null,
    },
  ],
  sources: [{ id: 'openai', title: 'OpenAI', state: 'no_key', message: 'OpenAI needs a key.' }],
  next_cursor: null,
}

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  launched.mockReset()
  backend.use(
    http.post('*/flows/kit/estimate', () =>
      HttpResponse.json({
        usd: '0.51',
        seconds: 60,
        price_unknown: false,
        steps: [{ node: 'images', usd: '0.24' }],
      }),
    ),
    http.get('*/flows/kit/customization', () => HttpResponse.json({ values: {}, updated_at: null })),
    http.patch('*/flows/kit/customization', () => HttpResponse.json({ values: {}, updated_at: null })),
    http.get('*/nodes/image_generation/options/model', () => HttpResponse.json(MODELS)),
    http.get('*/connections', () =>
      HttpResponse.json({
        items: [{ provider: 'openai', title: 'OpenAI', access: 'missing', takes_key: true }],
      }),
    ),
    http.get('*/users/me', () => HttpResponse.json({ id: 'mara' })),
    http.post('*/flows/kit/runs', async ({ request }) => {
      launched(await request.json())
      return HttpResponse.json({ id: 'run' }, { status: 202 })
    }),
  )
})

function Bar() {
  const [draft] = useState({ prompt: 'Night serum', images: [] })
  const launch = useLaunch({ flow: FLOW, draft, onStarted: () => undefined })
  return <PromptBar flow={FLOW} launch={launch} rejected={[]} onFiles={() => undefined} />
}

async function openPanel() {
  render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <Bar />
        </TooltipProvider>
      </QueryClientProvider>
    </I18nextProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Customize' }))
  return within(await screen.findByRole('region', { name: 'Customize' }))
}

it('opens below the bar, which keeps Launch and the prompt, and closes on Escape', async () => {
  const panel = await openPanel()
  expect(screen.getByRole('button', { name: 'Customize' })).toHaveAttribute('aria-expanded', 'true')
  expect(panel.queryByRole('textbox', { name: 'Brief' })).toBeNull()
  expect(await panel.findByText('$0.24')).toBeVisible()
  await userEvent.click(panel.getByRole('button', { name: 'One more' }))
  const number = panel.getByRole('spinbutton', { name: 'Number' })
  expect(number).toHaveAttribute('aria-valuenow', '3')
  await userEvent.type(number, '{Escape}')
  expect(screen.queryByRole('region', { name: 'Customize' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Customize' })).toHaveFocus()
})

it('launches with the amount at which the run stops', async () => {
  const panel = await openPanel()
  const amount = panel.getByRole('textbox', { name: 'The run stops at' })
  await userEvent.type(amount, 'much')
  await userEvent.click(screen.getByRole('button', { name: 'Launch' }))
  expect(panel.getByText(/^Enter an amount in US dollars/)).toBeVisible()
  expect(launched).not.toHaveBeenCalled()
  await userEvent.clear(amount)
  await userEvent.type(amount, '0,40')
  expect(
    await panel.findByText(/may cost about \$0\.51\. It will stop before it exceeds \$0\.40/),
  ).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Launch' }))
  await waitFor(() => expect(launched).toHaveBeenCalledWith(expect.objectContaining({ budget_usd: '0.40' })))
})

it('connects a provider without a key in place, then chooses its model', async () => {
  const stored = vi.fn()
  backend.use(
    http.put('*/credentials/openai', async ({ request }) => {
      stored(await request.json())
      return HttpResponse.json({ provider: 'openai', last_four: '6789' })
    }),
  )
  const panel = await openPanel()
  await userEvent.click(panel.getByRole('combobox', { name: 'Model' }))
  const offer = await screen.findByRole('option', { name: /GPT Image/ })
  expect(offer).toHaveTextContent('OpenAI, no key yet')
  expect(offer).toHaveTextContent('$0.03 per image')
  await userEvent.click(offer)
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect OpenAI' }))
  await userEvent.type(await dialog.findByLabelText('Key'), 'sk-123456789')
  await userEvent.click(dialog.getByRole('button', { name: 'Save the key' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(stored).toHaveBeenCalledWith({ key: 'sk-123456789' })
  expect(panel.getByRole('combobox', { name: 'Model' })).toHaveTextContent('GPT Image')
  expect(screen.getByRole('textbox', { name: 'Your prompt' })).toHaveValue('Night serum')
})
