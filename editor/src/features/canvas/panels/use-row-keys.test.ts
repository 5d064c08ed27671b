// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useRowKeys } from './use-row-keys'

test('a renamed row keeps its key, a moved one too, and a new one gets its own', () => {
  const { result, rerender } = renderHook(({ names }) => useRowKeys(names), {
    initialProps: { names: ['tone', 'length'] },
  })
  const [tone, length] = result.current
  expect(tone).not.toBe(length)
  rerender({ names: ['voice', 'length'] })
  expect(result.current).toEqual([tone, length])
  rerender({ names: ['length', 'voice'] })
  expect(result.current).toEqual([length, tone])
  rerender({ names: ['length', 'voice', 'seed'] })
  expect(new Set(result.current).size).toBe(3)
  rerender({ names: ['voice', 'seed'] })
  const [, seed] = result.current
  expect(result.current[0]).toBe(tone)
  rerender({ names: ['voice', 'seed', 'length'] })
  expect(result.current[2]).not.toBe(length)
  expect(result.current.slice(0, 2)).toEqual([tone, seed])
})
