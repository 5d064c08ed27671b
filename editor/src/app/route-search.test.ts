import { expect, test } from 'vitest'
import { flowSearch, forgetPasswordSearch, homeSearch, librarySearch } from './route-search'

test.each([
  [
    { agent: 'a1', images: ['i1', 'i2'] },
    { agent: 'a1', images: ['i1', 'i2'] },
  ],
  [
    { agent: 'a1', pictures: ['i1'] },
    { agent: 'a1', images: ['i1'] },
  ],
  [{ images: ['new'], pictures: ['old'] }, { images: ['new'] }],
  [{ agent: 7, images: ['i1', 2, null] }, { images: ['i1'] }],
  [{ images: 'i1', other: 'x' }, {}],
])('Home reads %j as %j', (search, expected) => {
  expect(homeSearch(search)).toEqual(expected)
})

test('only the second step of a password reset is a step', () => {
  expect(forgetPasswordSearch({ step: 'code' })).toEqual({ step: 'code' })
  expect(forgetPasswordSearch({ step: 'other' })).toEqual({})
})

test('the filters of the library are those of the address', () => {
  const search = { favourite: true, tag: 2026, collection_id: 'c1', since: '2026-01-01' }
  expect(librarySearch({ ...search, other: 'x' })).toEqual({ ...search, tag: '2026' })
  expect(librarySearch({ favourite: 'yes', tag: ['a'] })).toEqual({})
})

test('the library searches for numbers, which the router parses, as text', () => {
  expect(librarySearch({ q: 9, kind: 'image', source: 'nowhere', flow_id: null })).toEqual({
    q: '9',
    kind: 'image',
  })
})

test.each([
  [
    { run: 'r1', outer: ['a1', 'a2'] },
    { run: 'r1', outer: ['a1', 'a2'] },
  ],
  [{ run: '', outer: [] }, {}],
  [{ outer: ['a1', 2, '', null] }, { outer: ['a1'] }],
  [{ outer: 'a1' }, {}],
])('the canvas reads %j as %j', (search, expected) => {
  expect(flowSearch(search)).toEqual(expected)
})
