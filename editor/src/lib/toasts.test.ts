import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './api/error'
import { dismissToast, toast, toastError, useToasts } from './toasts'

beforeEach(() => {
  vi.useFakeTimers()
  useToasts.setState({ toasts: [] })
})
afterEach(() => vi.useRealTimers())

const shown = () => useToasts.getState().toasts

test('only the newest toast is shown', () => {
  toast({ title: 'First' })
  toast({ title: 'Second' })
  expect(shown().map(({ title }) => title)).toEqual(['Second'])
})

test('a toast stays for five seconds by default', () => {
  toast({ title: 'Saved' })
  expect(shown()[0]?.duration).toBe(5000)
  toast({ title: 'Slow', duration: 9000 })
  expect(shown()[0]?.duration).toBe(9000)
})

test('a closed toast is removed after 1,000,000 ms and not before', () => {
  const id = toast({ title: 'Saved' })
  dismissToast(id)
  expect(shown()[0]?.open).toBe(false)
  vi.advanceTimersByTime(999_999)
  expect(shown()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(shown()).toHaveLength(0)
})

test('an error toast has title and reason, without repeating the title', () => {
  toastError('Error updating avatar', new ApiError(422, { detail: 'This file is not an image.' }))
  expect(shown()[0]).toMatchObject({
    title: 'Error updating avatar',
    description: 'This file is not an image.',
  })
  toastError('Error updating avatar', new ApiError(422, { detail: 'Error updating avatar' }))
  expect(shown()[0]?.description).toBeUndefined()
})
