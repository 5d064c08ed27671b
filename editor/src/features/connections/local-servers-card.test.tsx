// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import '@/lib/i18n/signed-in'
import '@/lib/i18n/connections'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { renderPage } from '@/test/render-page'
import { LocalServersCard } from './local-servers-card'

const backend = startBackend()
afterEach(() => queryClient.clear())

const OLLAMA = { provider: 'ollama', title: 'Ollama', address: 'http://127.0.0.1:11434', models: 3 }

function serve(answers: { state: string; items: object[] }[]) {
  backend.use(
    http.get('*/api/v1/connections/local-servers', () =>
      HttpResponse.json(answers.length > 1 ? answers.shift() : answers[0]),
    ),
  )
}

test('a server is shown when the search finds it, and used with one press', async () => {
  const used: unknown[] = []
  serve([
    { state: 'searching', items: [] },
    { state: 'done', items: [{ ...OLLAMA, is_used: false }] },
    { state: 'done', items: [{ ...OLLAMA, is_used: true }] },
  ])
  backend.use(
    http.put('*/api/v1/connections/ollama/address', async ({ request }) => {
      used.push(await request.json())
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderPage(() => <LocalServersCard />)
  expect(await screen.findByText('Looking for model servers on this machine…')).toBeInTheDocument()
  const use = await screen.findByRole('button', { name: 'Use Ollama' }, { timeout: 4000 })
  expect(screen.getByText('http://127.0.0.1:11434')).toBeInTheDocument()
  await userEvent.click(use)
  expect(await screen.findByRole('button', { name: 'Stop using Ollama' })).toBeInTheDocument()
  expect(used).toEqual([{ address: OLLAMA.address }])
})

test('nothing is shown where the operator forbids the search', async () => {
  serve([{ state: 'off', items: [] }])
  renderPage(() => <LocalServersCard />)
  await waitFor(() => expect(queryClient.getQueryData(['connections', 'local-servers'])).toBeDefined())
  expect(screen.queryByText(/on this machine/)).toBeNull()
})

test('a search without a find names what was looked for', async () => {
  serve([{ state: 'done', items: [] }])
  renderPage(() => <LocalServersCard />)
  expect(await screen.findByText(/No Ollama, LM Studio or vLLM server was found/)).toBeInTheDocument()
})

test('a failed search is reported and can be tried again', async () => {
  let fails = true
  backend.use(
    http.get('*/api/v1/connections/local-servers', () =>
      fails ? new HttpResponse(null, { status: 400 }) : HttpResponse.json({ state: 'done', items: [] }),
    ),
  )
  renderPage(() => <LocalServersCard />)
  expect(await screen.findByRole('alert')).toHaveTextContent('The search for model servers')
  fails = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(/No Ollama, LM Studio or vLLM server was found/)).toBeInTheDocument()
})
