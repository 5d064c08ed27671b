// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { proofOf } from './second-factor'

test.each([
  ['012345', { code: '012345' }],
  ['012 345', { code: '012345' }],
  ['ab2d-ef3h-ij4l-mn5p', { recovery_code: 'ab2d-ef3h-ij4l-mn5p' }],
])('%s is sent as %j', (entered, proof) => {
  expect(proofOf(entered)).toEqual(proof)
})
