// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render, waitFor } from '@testing-library/react'
import { I18nextProvider } from 'react-i18next'
import { expect, test, vi } from 'vitest'
import type { Run } from '@/lib/api/runs'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/signed-in'
import { queryClient } from '@/lib/query-client'
import type { Tile } from './model/tiles'
import { useRunActions } from './use-run-actions'

const run = { id: 'r1', flow_id: 'f1', flow_name: 'Kit' } as Run
const tile = (key: string) => ({ key }) as Tile

test('the second result of a comparison is picked, not opened', async () => {
  const onView = vi.fn<(tile: Tile) => void>()
  let actions: ReturnType<typeof useRunActions> | undefined
  function Page() {
    actions = useRunActions({ run, steps: {}, find: () => undefined, titleOf: ({ key }) => key, onView })
    return null
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: Page }),
    history: createMemoryHistory(),
  })
  render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </I18nextProvider>,
  )
  await waitFor(() => expect(actions).toBeDefined())
  act(() => actions?.tile.compare(tile('one')))
  act(() => actions?.tile.view(tile('two')))
  expect(actions?.picked.map(({ key }) => key)).toEqual(['one', 'two'])
  expect(onView).not.toHaveBeenCalled()
  act(() => actions?.clearPicked())
  act(() => actions?.tile.view(tile('two')))
  expect(onView).toHaveBeenCalledOnce()
})
