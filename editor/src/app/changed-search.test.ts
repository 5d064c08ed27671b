// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { changedSearch } from './changed-search'
import { librarySearch } from './route-search'

async function openWith(address: string) {
  const router = createRouter({
    routeTree: createRootRoute({ validateSearch: librarySearch }),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  await router.load()
  const change = (shown: object, next: object) =>
    router.navigate({ to: '.', search: changedSearch(shown, next) } as never)
  return { change, search: () => router.state.location.search }
}

it('keeps a filter that was set after the page was rendered', async () => {
  const { change, search } = await openWith('/?tag=spring')
  const shown = { tag: 'spring' }
  const [first, second] = [change(shown, { ...shown, kind: 'image' }), change(shown, { ...shown, q: 'shot' })]
  await Promise.all([first, second])
  expect(search()).toEqual({ tag: 'spring', kind: 'image', q: 'shot' })
})

it('removes the filters that are no longer set', async () => {
  const { change, search } = await openWith('/?tag=spring&kind=image&q=shot')
  const shown = { tag: 'spring', kind: 'image', q: 'shot' }
  await change(shown, { ...shown, q: undefined })
  expect(search()).toEqual({ tag: 'spring', kind: 'image' })
  await change({ tag: 'spring', kind: 'image' }, {})
  expect(search()).toEqual({})
})
