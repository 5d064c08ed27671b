// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ApiError, messageOf } from './api/error'
import { useWrongCodes } from './use-wrong-codes'

const wrong = () => new ApiError(400, { code: 'code_invalid', detail: 'Wrong.' })

test('after five wrong codes, says to ask for a new one, until one was sent', () => {
  const { explained, reset } = renderHook(useWrongCodes).result.current
  const enter = (error: unknown = wrong()) => messageOf(explained(error))
  for (let entered = 1; entered < 5; entered += 1) expect(enter()).toBe('Wrong.')
  expect(enter(new ApiError(503, { detail: 'Later.' }))).toBe('Later.')
  expect(enter()).toBe('Too many wrong codes. Ask for a new one.')
  reset()
  expect(enter()).toBe('Wrong.')
})
