// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import '@/lib/i18n/signed-in'
import '@/lib/i18n/connections'
import type { Download } from '@/lib/api/downloads'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { renderPage } from '@/test/render-page'
import { DownloadsCard } from './downloads-card'

const backend = startBackend()
afterEach(() => queryClient.clear())

const HASH = '0123456789abcdef'.repeat(4)
const LIST = '*/api/v1/connections/local/downloads'
const ONE = `${LIST}/qwen3-4b`

function model(changed: Partial<Download>): Download {
  return {
    kind: 'text',
    name: 'qwen3-4b',
    title: 'Qwen3 4B',
    licence: 'apache-2.0',
    languages: '119 languages',
    bytes: 2_500_000_000,
    memory_bytes: 4_000_000_000,
    received_bytes: 0,
    state: 'offered',
    failure: null,
    is_recommended: true,
    ...changed,
  }
}

function serve(...items: Download[]) {
  backend.use(http.get(LIST, () => HttpResponse.json({ is_allowed: true, items })))
  renderPage(() => <DownloadsCard provider="local" />)
}

test('licence, size and hash are shown before exactly that file is downloaded', async () => {
  const asked: unknown[] = []
  serve(model({}))
  backend.use(
    http.get(ONE, () =>
      HttpResponse.json({
        title: 'Qwen3 4B',
        url: 'https://hub.example/q.gguf',
        bytes: 2_497_280_000,
        sha256: HASH,
        licence: 'apache-2.0',
      }),
    ),
    http.put(ONE, async ({ request }) => {
      asked.push(await request.json())
      const items = [model({ state: 'downloading', received_bytes: 1_000_000_000 })]
      return HttpResponse.json({ is_allowed: true, items }, { status: 202 })
    }),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Download Qwen3 4B' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Download Qwen3 4B?' }))
  expect(await dialog.findByText(HASH)).toBeInTheDocument()
  expect(dialog.getByText('apache-2.0')).toBeInTheDocument()
  expect(asked).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Download' }))
  expect(await screen.findByRole('progressbar', { name: 'Download of Qwen3 4B' })).toHaveAttribute(
    'aria-valuenow',
    '40',
  )
  expect(screen.getByRole('button', { name: 'Cancel the download of Qwen3 4B' })).toBeInTheDocument()
  expect(asked).toEqual([{ sha256: HASH }])
})

test('models that are neither here nor recommended are shown on request', async () => {
  serve(model({}), model({ name: 'small', title: 'Small', is_recommended: false }))
  await screen.findByText('Qwen3 4B')
  expect(screen.queryByText('Small')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show 1 more model' }))
  expect(screen.getByText('Small')).toBeInTheDocument()
})

test('an interrupted download says why, how much is here, and goes on', async () => {
  serve(model({ state: 'paused', received_bytes: 500_000_000, failure: 'The connection was lost.' }))
  expect(await screen.findByText('The connection was lost.')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Resume the download of Qwen3 4B' })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Remove Qwen3 4B' })).toBeInTheDocument()
})

test('nothing is shown where the operator forbids downloads', async () => {
  backend.use(http.get(LIST, () => HttpResponse.json({ is_allowed: false, items: [] })))
  const { container } = renderPage(() => <DownloadsCard provider="local" />)
  await expect.poll(() => queryClient.getQueryData(['connections', 'downloads', 'local'])).toEqual([])
  expect(within(container).queryByText('Language models for this machine')).toBeNull()
})

test('caption models stand apart from language models', async () => {
  const small = model({ kind: 'captions', name: 'whisper-small', title: 'Whisper small' })
  const tiny = model({ kind: 'captions', name: 'whisper-tiny', title: 'Whisper tiny', is_recommended: false })
  serve(model({}), tiny, small)
  const captions = within(await screen.findByRole('region', { name: 'Caption models for this machine' }))
  expect(captions.getByText('Whisper small')).toBeInTheDocument()
  expect(captions.queryByText('Qwen3 4B')).toBeNull()
  await userEvent.click(captions.getByRole('button', { name: 'Show 1 more model' }))
  expect(captions.getByText('Whisper tiny')).toBeInTheDocument()
  const language = within(screen.getByRole('region', { name: 'Language models for this machine' }))
  expect(language.queryByText('Whisper tiny')).toBeNull()
})
