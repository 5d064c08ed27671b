// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { clearSession, setSession } from '@/lib/api/session'
import { toast, useToasts } from '@/lib/toasts'
import { sessionFor } from '@/test/backend'
import { followSession, Notices } from './app'
import type { Router } from './router'

vi.mock('@/components/toaster', () => {
  throw new Error('offline')
})
afterEach(() => useToasts.setState({ toasts: [] }))

test('without the code of the toaster, a toast is plain text with its action', async () => {
  const onPress = vi.fn()
  render(<Notices />)
  act(() => void toast({ title: 'This part could not be loaded', action: { label: 'Try again', onPress } }))
  expect(await screen.findByRole('alert')).toHaveTextContent('This part could not be loaded')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(onPress).toHaveBeenCalledOnce()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a session that ended while the page loaded leads to the guards, which ask to sign in', () => {
  const invalidate = vi.fn()
  const leave = followSession({ invalidate } as unknown as Router, 'u1')
  expect(invalidate).toHaveBeenCalledOnce()
  leave()
  followSession({ invalidate } as unknown as Router, null)()
  expect(invalidate).toHaveBeenCalledOnce()
})

test('what the tab keeps for its user stays when a session expires, and goes with a sign-out and for another user', async () => {
  const leave = followSession({ invalidate: vi.fn() } as unknown as Router, null)
  const start = (user: string) => act(() => setSession(sessionFor(user)))
  const kept = () => sessionStorage.getItem('impasto.undo')
  start('mara')
  sessionStorage.setItem('impasto.undo', '[]')
  act(() => clearSession())
  start('mara')
  expect(kept()).toBe('[]')
  act(() => clearSession())
  start('ines')
  expect(kept()).toBeNull()
  sessionStorage.setItem('impasto.undo', '[]')
  sessionStorage.setItem('impasto.pending', '[]')
  act(() => clearSession(true))
  await vi.waitFor(() => expect(kept()).toBeNull())
  expect(sessionStorage.getItem('impasto.pending')).toBe('[]')
  leave()
})
