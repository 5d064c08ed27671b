import { expect, test } from 'vitest'
import { returnPath } from './return-path'

test.each([
  [undefined, '/'],
  ['', '/'],
  ['/flow/7?run=3#x', '/flow/7?run=3#x'],
  ['//elsewhere.example', '/'],
  ['/\\elsewhere.example', '/'],
  ['https://elsewhere.example', '/'],
  ['javascript:alert(1)', '/'],
])('%s leads to %s', (next, path) => {
  expect(returnPath(next)).toBe(path)
})
