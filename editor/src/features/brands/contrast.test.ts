import { expect, it } from 'vitest'
import { contrastOf, contrastPairs, readableOn } from './contrast'

it('computes the ratio of WCAG and what it allows', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  const pairs = contrastPairs(['#1f4a38', '#e9e4d8', '#c98b5e'])
  expect(pairs.map(({ ratio, use }) => [ratio, use])).toEqual([
    [7.9, 'all_text'],
    [3.5, 'headlines'],
    [2.2, 'shapes'],
  ])
})

it('rounds down, so that no ratio is shown as enough that is not', () => {
  expect(contrastPairs(['#ffffff', '#777777'])[0]).toMatchObject({ ratio: 4.4, use: 'headlines' })
})

it('lists each pair of different colors once', () => {
  expect(contrastPairs(['#ffffff', '#000000', '#ffffff'])).toHaveLength(1)
  expect(contrastPairs(Array.from({ length: 20 }, (_, at) => `#0000${(at + 16).toString(16)}`))).toHaveLength(
    15,
  )
})

it('finds a readable color on any ground', () => {
  expect(readableOn('#18465c', ['#e9e4d8'])).toBe('#e9e4d8')
  expect(readableOn('#ffd400', ['#ffffff'])).toBe('#16130f')
})
