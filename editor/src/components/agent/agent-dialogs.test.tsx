// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import '@/lib/i18n/signed-in'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { renderPage } from '@/test/render-page'
import { CreateAgent } from './agent-dialogs'

const backend = startBackend()
afterEach(() => queryClient.clear())

function offerTemplates(...items: object[]) {
  backend.use(http.get('*/api/v1/flows/', () => HttpResponse.json({ items, next_cursor: null })))
}

async function open() {
  const onOpenChange = vi.fn<(open: boolean) => void>()
  renderPage(() => <CreateAgent open onOpenChange={onOpenChange} />)
  await userEvent.type(await screen.findByLabelText(/^Name/), 'Autumn')
  return onOpenChange
}

test('two submits at once create one agent; a repeat after a lost response has the same key', async () => {
  offerTemplates()
  const keys: (string | null)[] = []
  let isReachable = false
  backend.use(
    http.post('*/api/v1/flows/', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'))
      return isReachable ? HttpResponse.json({ id: 'f1' }, { status: 201 }) : HttpResponse.error()
    }),
  )
  const onOpenChange = await open()
  const form = document.querySelector('form') as HTMLFormElement
  fireEvent.submit(form)
  fireEvent.submit(form)
  expect(await screen.findByRole('alert')).toHaveTextContent('The server cannot be reached.')
  expect(keys).toHaveLength(1)
  isReachable = true
  await userEvent.click(screen.getByRole('button', { name: 'Create' }))
  await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false))
  expect(keys).toEqual([keys[0], keys[0]])
})

test('an agent begins with the nodes of the template that was chosen', async () => {
  const agent = (id: string, name: string, more: object) => ({
    id,
    name,
    description: '',
    kinds: [],
    ...more,
  })
  offerTemplates(agent('kit', 'Launch kit', {}), agent('reel', 'Reel', { beta: true }))
  const bodies: unknown[] = []
  backend.use(
    http.post('*/api/v1/flows/', async ({ request }) => {
      bodies.push(await request.json())
      return HttpResponse.json({ id: 'f1' }, { status: 201 })
    }),
  )
  const onOpenChange = await open()
  expect(await screen.findByRole('radio', { name: 'Empty canvas' })).toBeChecked()
  expect(screen.queryByRole('radio', { name: 'Reel' })).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: 'Launch kit' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create' }))
  await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false))
  expect(bodies).toMatchObject([{ name: 'Autumn', from_template: 'kit' }])
})

test('Escape asks before it discards what was typed', async () => {
  offerTemplates()
  const onOpenChange = await open()
  await userEvent.keyboard('{Escape}')
  expect(screen.getByRole('alert')).toHaveTextContent('Discard your changes?')
  expect(onOpenChange).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }))
  expect(screen.getByLabelText(/^Name/)).toHaveValue('Autumn')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
  expect(onOpenChange).toHaveBeenCalledWith(false)
})
