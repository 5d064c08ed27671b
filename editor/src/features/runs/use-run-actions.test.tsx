// @vitest-environment jsdom
import { act, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Run } from '@/lib/api/runs'
import '@/lib/i18n/runs'
import '@/lib/i18n/signed-in'
import { renderPage } from '@/test/render-page'
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
  renderPage(Page)
  await waitFor(() => expect(actions).toBeDefined())
  act(() => actions?.tile.compare(tile('one')))
  act(() => actions?.tile.view(tile('two')))
  expect(actions?.picked.map(({ key }) => key)).toEqual(['one', 'two'])
  expect(onView).not.toHaveBeenCalled()
  act(() => actions?.clearPicked())
  act(() => actions?.tile.view(tile('two')))
  expect(onView).toHaveBeenCalledOnce()
})
