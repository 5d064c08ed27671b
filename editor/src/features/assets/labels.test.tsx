// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, expect, test, vi } from 'vitest'
import '@/lib/i18n/signed-in'
import '@/lib/i18n/assets'
import { TagEditor } from '@/components/asset/tag-editor'
import type { Asset } from '@/lib/api/assets'
import { queryClient } from '@/lib/query-client'
import { useToasts } from '@/lib/toasts'
import { startBackend } from '@/test/backend'
import { renderPage } from '@/test/render-page'
import { AddToCollectionDialog } from './collection-dialogs'

const backend = startBackend()
afterEach(() => queryClient.clear())

const ASSET = { id: 'a1', favourite: false, tags: [] as string[] } as Asset
const EMPTY_PAGE = { items: [], next_cursor: null }

test('a tag that the server refuses stays in its field', async () => {
  backend.use(
    http.get('*/api/v1/assets/tags', () => HttpResponse.json(EMPTY_PAGE)),
    http.patch('*/api/v1/assets/', () => new HttpResponse(null, { status: 422 })),
  )
  renderPage(() => <TagEditor assets={[ASSET]} />)
  const field = await screen.findByRole('combobox', { name: 'Add a tag' })
  await userEvent.type(field, 'Spring{Enter}')
  await waitFor(() => expect(useToasts.getState().toasts[0]?.tone).toBe('error'))
  expect(field).toHaveValue('Spring')
})

test('a repeat after assets could not be added uses the collection that was created', async () => {
  const keys: (string | null)[] = []
  const collection = { id: 'c1', name: 'Launch', assets: 0 }
  const answers = [503, 200]
  backend.use(
    http.get('*/api/v1/collections', () => HttpResponse.json(EMPTY_PAGE)),
    http.post('*/api/v1/collections', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'))
      return HttpResponse.json(collection, { status: 201 })
    }),
    http.patch('*/api/v1/collections/c1', () => HttpResponse.json(collection, { status: answers.shift() })),
  )
  const onAdded = vi.fn()
  renderPage(() => <AddToCollectionDialog assetIds={['a1']} onClose={vi.fn()} onAdded={onAdded} />)
  await userEvent.type(await screen.findByLabelText('New collection'), 'Launch')
  const create = screen.getByRole('button', { name: 'Create' })
  await userEvent.click(create)
  await screen.findByRole('alert')
  await userEvent.click(create)
  await waitFor(() => expect(onAdded).toHaveBeenCalled())
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})
