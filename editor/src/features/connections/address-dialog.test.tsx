// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test } from 'vitest'
import '@/lib/i18n/signed-in'
import '@/lib/i18n/connections'
import '@/lib/i18n/account'
import type { Connection } from '@/lib/api/connections'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { renderPage } from '@/test/render-page'
import { ConnectionsPage } from './connections-page'

const backend = startBackend()
afterEach(() => queryClient.clear())

const OLLAMA: Connection = {
  provider: 'ollama',
  title: 'Ollama',
  kinds: ['text'],
  access: 'missing',
  takes_key: false,
  takes_address: true,
  address: null,
  has_downloads: false,
  key_last_four: null,
  spent_usd: '0',
}

function serve(first: Partial<Connection>) {
  let connection: Connection = { ...OLLAMA, ...first }
  backend.use(
    http.get('*/api/v1/connections', () => HttpResponse.json({ items: [connection], next_cursor: null })),
    http.get('*/api/v1/users/me', () => HttpResponse.json({ id: 'mara', is_admin: false })),
    http.post('*/api/v1/connections/ollama/test', () =>
      HttpResponse.json({
        state: 'connected',
        code: null,
        message: null,
        seconds: 0.1,
        models: 3,
        voices: 0,
      }),
    ),
    http.put('*/api/v1/connections/ollama/address', async ({ request }) => {
      const { address } = (await request.json()) as { address: string }
      if (!address.includes('gpu.lan')) {
        const detail = "This server's operator allows addresses at gpu.lan. Enter one of them."
        return HttpResponse.json(
          { status: 403, code: 'address_not_allowed', title: 'Not allowed', detail },
          { status: 403 },
        )
      }
      connection = { ...connection, access: 'own_address', address }
      return new HttpResponse(null, { status: 204 })
    }),
    http.delete('*/api/v1/connections/ollama/address', () => {
      connection = { ...connection, access: 'missing', address: null }
      return new HttpResponse(null, { status: 204 })
    }),
  )
  renderPage(() => <ConnectionsPage />)
}

test('a server is used at the address that its user names, until they stop', async () => {
  serve({})
  await userEvent.click(await screen.findByRole('button', { name: 'Enter the address of Ollama' }))
  const field = within(await screen.findByRole('dialog')).getByLabelText('Address')
  await userEvent.clear(field)
  await userEvent.type(field, 'gpu{Enter}')
  expect(await screen.findByText('Enter an address such as http://gpu.lan:11434.')).toBeVisible()
  await userEvent.clear(field)
  await userEvent.type(field, 'http://10.0.0.9{Enter}')
  expect(await screen.findByText(/allows addresses at gpu.lan/)).toBeVisible()
  await userEvent.clear(field)
  await userEvent.type(field, 'http://gpu.lan:11434{Enter}')
  expect(await screen.findByText('http://gpu.lan:11434')).toBeVisible()
  expect(await screen.findByText('3 models')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'More for Ollama' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Stop using' }))
  expect(await screen.findByRole('button', { name: 'Enter the address of Ollama' })).toBeVisible()
})

test('no address is asked for where the operator allows none', async () => {
  serve({ takes_address: false })
  expect(await screen.findByText('the operator of this server sets it up')).toBeVisible()
  expect(screen.queryByRole('button', { name: /address/ })).toBeNull()
})

test('a provider of credentials that only the operator sets asks for no address', async () => {
  serve({ provider: 'bedrock', title: 'Amazon Bedrock', takes_address: false })
  expect(await screen.findByText('the operator of this server sets it up')).toBeVisible()
  expect(screen.queryByText(/address/)).toBeNull()
})
