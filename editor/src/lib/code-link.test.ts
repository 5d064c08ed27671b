import { expect, test } from 'vitest'
import { readCodeLink } from './code-link'

test('a link has username, code and token', () => {
  expect(readCodeLink('#username=Mara+L%C3%B6f&code=012345&token=a-b_c')).toEqual({
    username: 'Mara Löf',
    code: '012345',
    token: 'a-b_c',
  })
})

test.each(['', '#', '#main', '#username=mara&code=012345'])('%s is no such link', (hash) => {
  expect(readCodeLink(hash)).toBeNull()
})
