// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { dismissToast, toast, useToasts } from './toasts'
import { usePendingDeletions, withUndo } from './with-undo'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const deleting = (commit: (leaving: boolean) => Promise<unknown>) => {
  const { result } = renderHook(usePendingDeletions)
  act(() => withUndo({ ids: ['a', 'b'], title: 'Gone', failed: 'Not gone', commit }))
  return { going: () => [...result.current], notice: () => useToasts.getState().toasts[0] }
}

/** Closes the current toast, as the toast region does after its time. */
const closeToast = () => act(async () => dismissToast(useToasts.getState().toasts[0]?.id ?? 0))

it('hides at once and deletes when the toast closes', async () => {
  const commit = vi.fn((_leaving: boolean) => Promise.resolve())
  const { going } = deleting(commit)
  expect(going()).toEqual(['a', 'b'])
  expect(commit).not.toHaveBeenCalled()
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(commit, 'a toast that is pointed at stays, and so does Undo').not.toHaveBeenCalled()
  await closeToast()
  expect(commit).toHaveBeenCalledExactlyOnceWith(false)
  expect(going()).toEqual([])
})

it('deletes when another toast takes the place of the one with Undo', async () => {
  const commit = vi.fn((_leaving: boolean) => Promise.resolve())
  deleting(commit)
  await act(async () => void toast({ title: 'Saved' }))
  expect(commit).toHaveBeenCalledExactlyOnceWith(false)
})

it('deletes after a minute even if the toast is still held open', async () => {
  const commit = vi.fn((_leaving: boolean) => Promise.resolve())
  const { notice } = deleting(commit)
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(commit).toHaveBeenCalledExactlyOnceWith(false)
  expect(notice()?.open).toBe(false)
})

it('restores on undo, and sends nothing', async () => {
  const commit = vi.fn((_leaving: boolean) => Promise.resolve())
  const { going, notice } = deleting(commit)
  act(() => notice()?.action?.onPress())
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(going()).toEqual([])
  expect(commit).not.toHaveBeenCalled()
})

it('deletes immediately when the page is being left', () => {
  const commit = vi.fn((_leaving: boolean) => Promise.resolve())
  deleting(commit)
  act(() => void window.dispatchEvent(new Event('pagehide')))
  expect(commit).toHaveBeenCalledExactlyOnceWith(true)
})

it('shows the item again with an error when the deletion fails', async () => {
  const { going, notice } = deleting(() => Promise.reject(new Error('no')))
  await closeToast()
  expect(going()).toEqual([])
  expect(notice()).toMatchObject({ title: 'Not gone', tone: 'error' })
})
