// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hasUnsavedWork, markUnsaved, useUnsavedWork } from './unsaved-work'

/** Whether the browser would ask before leaving. */
function asks(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(leaving)
  return leaving.defaultPrevented
}

test('the browser asks before leaving while anything is unsaved', () => {
  expect(asks()).toBe(false)
  markUnsaved('a', true)
  markUnsaved('b', true)
  markUnsaved('a', false)
  expect([hasUnsavedWork(), asks()]).toEqual([true, true])
  markUnsaved('b', false)
  expect([hasUnsavedWork(), asks()]).toEqual([false, false])
})

test('an unmounted component is no longer unsaved', () => {
  const { rerender, unmount } = renderHook(({ dirty }) => useUnsavedWork(dirty), {
    initialProps: { dirty: true },
  })
  expect(hasUnsavedWork()).toBe(true)
  rerender({ dirty: false })
  expect(hasUnsavedWork()).toBe(false)
  rerender({ dirty: true })
  unmount()
  expect(hasUnsavedWork()).toBe(false)
})
