import { expect, it } from 'vitest'
import { ApiError } from '../api/error'
import { refusedFields } from './use-launch'

it('tells each field what the server has against it', () => {
  const errors = [
    { path: 'inputs.product', code: 'unknown_asset', message: 'There is no asset nope.' },
    { path: 'inputs.shots.0.scene', code: 'too_long', message: 'At most 200 characters.' },
  ]
  const refusal = new ApiError(422, { code: 'inputs_invalid', detail: 'Some inputs are wrong', errors })
  expect(refusedFields(refusal)).toEqual({
    product: 'There is no asset nope.',
    shots: 'At most 200 characters.',
  })
})

it('has nothing to say of other troubles', () => {
  expect(refusedFields(new ApiError(429, { code: 'quota_exceeded' }))).toEqual({})
  expect(refusedFields(new Error('no'))).toEqual({})
  expect(refusedFields(null)).toEqual({})
})
