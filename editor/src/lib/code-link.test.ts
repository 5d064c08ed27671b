import { expect, test } from 'vitest'
import { readCodeLink, readEmailLink } from './code-link'

test('a link has username, code and token', () => {
  expect(readCodeLink('#username=Mara+L%C3%B6f&code=012345&token=a-b_c')).toEqual({
    username: 'Mara Löf',
    code: '012345',
    token: 'a-b_c',
  })
})

test('a link to a new address has email, code and token', () => {
  const link = { email: 'mara+new@studio.example', code: '012345', token: 'a-b_c' }
  expect(readEmailLink('#email=mara%2Bnew%40studio.example&code=012345&token=a-b_c')).toEqual(link)
  expect(readCodeLink('#email=mara%40studio.example&code=012345&token=a-b_c')).toBeNull()
})

test.each(['', '#', '#main', '#username=mara&code=012345'])('%s is no such link', (hash) => {
  expect(readCodeLink(hash)).toBeNull()
})
