// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useTypedText } from './use-typed-text'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('commits to the newest handler, because another filter may change while typing pauses', () => {
  const [old, current] = [vi.fn(), vi.fn()]
  const { result, rerender } = renderHook(({ commit }) => useTypedText('', commit), {
    initialProps: { commit: old },
  })
  act(() => result.current[1](' Porto '))
  expect(result.current[0]).toBe(' Porto ')
  rerender({ commit: current })
  act(() => void vi.runAllTimers())
  expect(old).not.toHaveBeenCalled()
  expect(current).toHaveBeenCalledWith('Porto')
})
