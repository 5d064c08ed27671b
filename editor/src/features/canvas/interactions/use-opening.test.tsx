// @vitest-environment jsdom
import { renderHook, waitFor } from '@testing-library/react'
import { ReactFlowProvider } from '@xyflow/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import type { Session } from '@/document/session'
import { SessionContext } from '@/document/use-session'
import type { CanvasNode } from './canvas-elements'
import { useOpening } from './use-opening'

const CARD = { width: 232, height: 100 }

/** Opens a canvas of this width with these cards in a row of the given x; returns how many were drawn each time. */
function opened(places: readonly number[], width = 1000) {
  const nodes = places.map((x, at) => ({ id: `n${at}`, position: { x, y: 100 } }))
  const session = { document: { nodes }, sizeOf: () => CARD } as unknown as Session
  const wrapper = ({ children }: { children: ReactNode }) => (
    <SessionContext value={session}>
      <ReactFlowProvider initialWidth={width} initialHeight={800}>
        {children}
      </ReactFlowProvider>
    </SessionContext>
  )
  const drawn: (readonly string[] | undefined)[] = []
  const hook = renderHook(
    () => {
      const now = useOpening(nodes as unknown as CanvasNode[])
      drawn.push(now?.map(({ id }) => id))
      return now
    },
    { wrapper },
  )
  return { drawn, hook }
}

test('the cards in view are drawn four at a time, then all', async () => {
  const { drawn, hook } = opened(Array.from({ length: 10 }, (_, at) => at * 20))
  await waitFor(() => expect(hook.result.current).toBeNull())
  expect(drawn.map((ids) => ids?.length ?? 'all')).toEqual([0, 4, 8, 10, 'all'])
})

test('on phones the cards in view are drawn one at a time', async () => {
  const { drawn, hook } = opened([0, 20, 40, 60, 5000], 390)
  await waitFor(() => expect(hook.result.current).toBeNull())
  expect(drawn.map((ids) => ids?.length ?? 'all')).toEqual([0, 1, 2, 3, 4, 'all'])
})

test('cards out of view are drawn last', async () => {
  const { drawn, hook } = opened([5000, 0, 20, 40, -232, 60, 80, 1000])
  await waitFor(() => expect(hook.result.current).toBeNull())
  expect(drawn.map((ids) => ids ?? 'all')).toEqual([
    [],
    ['n1', 'n2', 'n3', 'n5'],
    ['n1', 'n2', 'n3', 'n5', 'n6'],
    'all',
  ])
})

test('a small flow is drawn at once, and an empty one is open', async () => {
  for (const [places, steps] of [
    [
      [0, 20, 40],
      [0, 3, 'all'],
    ],
    [[], [0, 'all']],
  ] as const) {
    const { drawn, hook } = opened(places)
    await waitFor(() => expect(hook.result.current).toBeNull())
    expect(drawn.map((ids) => ids?.length ?? 'all')).toEqual(steps)
  }
})
