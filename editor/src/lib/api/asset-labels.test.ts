// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { afterEach, expect, it } from 'vitest'
import { startBackend } from '@/test/backend'
import { queryClient } from '../query-client'
import { setFavourite } from './asset-labels'
import { type Asset, type LibraryFilters, libraryQuery } from './assets'

const backend = startBackend()
afterEach(() => queryClient.clear())

const ASSET = { id: 'a1', favourite: false, tags: [] as string[] } as Asset
const keyOf = (filters: LibraryFilters) => libraryQuery(filters).queryKey
const isStale = (filters: LibraryFilters) => queryClient.getQueryState(keyOf(filters))?.isInvalidated

function showLists(...lists: LibraryFilters[]) {
  for (const filters of lists) {
    const items = filters.favourite ? [] : [ASSET]
    queryClient.setQueryData(keyOf(filters), { pages: [{ items, next_cursor: null }], pageParams: [null] })
  }
}

it('lists that are filtered by labels are fetched again after a change', async () => {
  backend.use(http.patch('*/api/v1/assets/', () => HttpResponse.json([{ ...ASSET, favourite: true }])))
  showLists({}, { favourite: true }, { tag: 'spring' })
  await setFavourite([ASSET], true)
  expect([isStale({}), isStale({ favourite: true }), isStale({ tag: 'spring' })]).toEqual([false, true, true])
  expect(queryClient.getQueryData(keyOf({}))?.pages[0]?.items[0]?.favourite).toBe(true)
})

it('a favourite that the server refuses is shown as none again', async () => {
  backend.use(http.patch('*/api/v1/assets/', () => new HttpResponse(null, { status: 500 })))
  showLists({})
  await expect(setFavourite([ASSET], true)).rejects.toThrow()
  expect(queryClient.getQueryData(keyOf({}))?.pages[0]?.items[0]?.favourite).toBe(false)
})
