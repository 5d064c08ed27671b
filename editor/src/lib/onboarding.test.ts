// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import { startBackend } from '@/test/backend'
import { answers, completeAnswers, expectOnboarding, needsOnboarding, pendingAccount } from './onboarding'
import { queryClient } from './query-client'

const backend = startBackend()
const full = {
  first_name: 'Mara',
  last_name: 'Lindqvist',
  company: 'Northbound',
  role: 'freelancer',
  reasons: ['save_time'],
}
const stored = vi.fn()

function user(info: object | null) {
  backend.use(
    http.get('*/api/v1/users/me', () => HttpResponse.json({ id: 'u1', username: 'mara', info })),
    http.put('*/api/v1/users/me/info', async ({ request }) => {
      stored(await request.json())
      return HttpResponse.json({})
    }),
  )
}
const account = (username: string) => pendingAccount.set({ username, email: '', destination: '', sentAt: 0 })

beforeEach(() => {
  queryClient.clear()
  stored.mockClear()
})

test('answers are merged and complete once all are there', () => {
  answers.add({ first_name: 'Mara', last_name: 'Lindqvist' })
  expect(completeAnswers()).toBeNull()
  answers.add(full)
  expect(completeAnswers()).toEqual(full)
})

test('a user who has answered is not asked', async () => {
  user(full)
  expectOnboarding()
  expect(await needsOnboarding()).toBe(false)
})

test('a user who has not answered is asked once per sign-in', async () => {
  user(null)
  expectOnboarding()
  expect(await needsOnboarding()).toBe(true)
  expect(await needsOnboarding()).toBe(false)
})

test('answers given before activation are stored instead of asked for', async () => {
  user(null)
  answers.add(full)
  account('mara')
  expectOnboarding()
  expect(await needsOnboarding()).toBe(false)
  expect(stored).toHaveBeenCalledWith(full)
  expect(completeAnswers()).toBeNull()
})

test('answers of another user are ignored', async () => {
  user(null)
  answers.add(full)
  account('otto')
  expectOnboarding()
  expect(await needsOnboarding()).toBe(true)
  expect(stored).not.toHaveBeenCalled()
})
