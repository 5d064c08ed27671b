import { describe, expect, it } from 'vitest'
import { jsonErrorAt, lineAt, rangeInJson } from './json-places'

const VALUE = { a: 1, 'full name': { type: ['x', { deep: -1.5e3 }] }, empty: {}, list: [] }

describe('the place of a part in JSON', () => {
  it.each([
    [['a'], '1'],
    [['full name', 'type', 0], '"x"'],
    [['full name', 'type', 1, 'deep'], '-1500'],
    [['empty'], '{}'],
    [['list'], '[]'],
    [['full name', 'type', 1, 'missing'], JSON.stringify({ deep: -1500 })],
  ])('is found for %j', (path, part) => {
    for (const indent of [0, 2]) {
      const text = JSON.stringify(VALUE, null, indent)
      const range = rangeInJson(text, path)
      const found = text.slice(range?.start, range?.end)
      expect(JSON.stringify(JSON.parse(found))).toBe(part)
    }
  })

  it('is the whole value where nothing else fits', () => {
    expect(rangeInJson(' [1] ', ['a'])).toEqual({ start: 1, end: 4 })
    expect(rangeInJson('[1', [0])).toBeNull()
  })
})

describe('the first place that is not JSON', () => {
  it.each([
    ['{"a": 1,\n "b": }', 15],
    ['{"a": 1\n "b": 2}', 9],
    ['[1, 2,]', 6],
    ['{a: 1}', 1],
    ['[1] x', 4],
    ['["open', 1],
    ['[01]', 2],
    ['', 0],
  ])('of %j is %i', (text, at) => {
    expect(() => JSON.parse(text)).toThrow()
    expect(jsonErrorAt(text)).toBe(at)
  })

  it('is nowhere in JSON', () => {
    for (const text of ['{"a": [1, "\\u00e9\\n", null, true]}', ' -0.5e+2 ', '"x"'])
      expect(jsonErrorAt(text)).toBeNull()
  })

  it('has a line', () => expect(lineAt('{"a": 1,\n "b": }', 15)).toBe(2))
})
