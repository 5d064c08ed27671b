import { describe, expect, it } from 'vitest'
import { cellText, columnTitle, layOutData, summarizeData, tableRows } from './data-layout'

describe('layout of JSON values', () => {
  it('makes a table of an array of objects, with the columns of all of them', () => {
    expect(
      layOutData([
        { scene: 'Dawn', seconds: 4 },
        { scene: 'Noon', tags: ['a', 'b'] },
      ]),
    ).toEqual({
      shape: 'table',
      columns: ['scene', 'seconds', 'tags'],
      rows: [
        ['Dawn', '4', ''],
        ['Noon', '', 'a, b'],
      ],
    })
  })

  it('unwraps an object that only contains a list', () => {
    expect(layOutData({ lines: ['one', 'two'] })).toEqual({ shape: 'list', items: ['one', 'two'] })
  })

  it('lays out nested values', () => {
    const value = { title: 'Reel', shots: [{ scene: 'Dawn' }], brand: { tone: 'warm', none: {} } }
    expect(layOutData(value)).toEqual({
      shape: 'facts',
      facts: [
        ['title', 'Reel'],
        ['shots', { shape: 'table', columns: ['scene'], rows: [['Dawn']] }],
        [
          'brand',
          {
            shape: 'facts',
            facts: [
              ['tone', 'warm'],
              ['none', ''],
            ],
          },
        ],
      ],
    })
  })

  it('writes objects nested deeper than five levels as JSON', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'end' : { levels, inner: nested(levels - 1) })
    const layouts = (levels: number) => JSON.stringify(layOutData(nested(levels))).match(/"facts",/g)?.length
    expect([1, 4, 5, 6, 50].map(layouts)).toEqual([1, 4, 5, 5, 5])
  })

  it('accepts any value', () => {
    expect(layOutData(null)).toEqual({ shape: 'plain', text: '' })
    expect(layOutData(false)).toEqual({ shape: 'plain', text: 'No' })
    expect(layOutData([])).toEqual({ shape: 'list', items: [] })
    expect(layOutData({})).toEqual({ shape: 'facts', facts: [] })
    expect(layOutData([1, [2, 3], null])).toEqual({ shape: 'list', items: ['1', '2, 3', ''] })
  })
})

it('formats a key as words', () => expect(columnTitle('shot_list')).toBe('Shot list'))

describe('the text of a cell', () => {
  it.each([
    [true, 'Yes'],
    [false, 'No'],
    [null, ''],
    [3, '3'],
    [['a', 'b'], 'a, b'],
    [{ palette_ok: true, why: 'on brand', note: null }, 'Palette ok: Yes, Why: on brand'],
    [{}, ''],
    [{ $type: 'Brand', tone: 'dry' }, 'Tone: dry'],
  ])('shows %j as %j, never as JSON', (value, text) => {
    expect(cellText(value)).toBe(text)
  })
})

describe('the summary of data', () => {
  it.each([
    [
      { title: 'Reel', shots: [{ scene: 'Dawn' }, { scene: 'Noon' }], live: true },
      'Title: Reel\nShots: 2 items\nLive: Yes',
    ],
    [{ hashtags: ['#a', '#b'] }, '#a\n#b'],
    [[{ scene: 'Dawn', seconds: 4 }, { scene: 'Noon' }], 'Dawn, 4\nNoon'],
    [[], ''],
    ['plain', 'plain'],
  ])('shows %j as lines', (value, text) => {
    expect(summarizeData(value)).toBe(text)
  })
})

it('writes a nested value as one line, in linear time', () => {
  const nested = layOutData([{ shot: { note: `a${' '.repeat(200_000)}b\n\n c`, place: 'Kiln' } }])
  if (nested.shape !== 'table') throw new Error(nested.shape)
  const before = performance.now()
  const cell = tableRows(nested)[1]?.[0]
  expect(performance.now() - before).toBeLessThan(2000)
  expect(cell).toBe(`Note: a${' '.repeat(200_000)}b, c, Place: Kiln`)
})
