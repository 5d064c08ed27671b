import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ago, bytes, clock, day, dollars, longDay, moment, seconds } from './format'

test.each([
  ['0.31', '$0.31'],
  [0, '$0.00'],
  [null, '$0.00'],
  ['0.002', '$0.002'],
  ['0.0114', '$0.01'],
  [1234.5, '$1,234.50'],
  [1234567.891, '$1,234,567.89'],
  [1.005, '$1.01'],
  [0.0096, '$0.01'],
  ['0.0000004', '$0.0000004'],
  [-3.5, '-$3.50'],
])('dollars(%s) is %s', (amount, text) => expect(dollars(amount)).toBe(text))

test('an amount is written as by Intl', () => {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', ...digits })
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 10 ** 12 }), (parts) => {
      expect(dollars(parts / 10_000)).toBe(format.format(parts / 10_000))
    }),
  )
})

test.each([
  [0.42, '0.4 s'],
  [2, '2 s'],
  [11.24, '11.2 s'],
  [40.4, '40 s'],
  [180, '3 min'],
  [3600, '1 h'],
  [3900, '1 h 5 min'],
])('seconds(%s) is %s', (value, text) => expect(seconds(value)).toBe(text))

test.each([
  [31.9, '0:31'],
  [725, '12:05'],
  [3729, '1:02:09'],
  [-1, '0:00'],
])('clock(%s) is %s', (value, text) => expect(clock(value)).toBe(text))

test.each([
  [812, '812 B'],
  [14_300, '14 kB'],
  [3_210_000, '3.2 MB'],
  [2_000_000_000, '2 GB'],
])('bytes(%s) is %s', (size, text) => expect(bytes(size)).toBe(text))

test('a date is written in full', () => {
  const time = new Date(2026, 8, 3, 4, 7)
  expect(moment(time)).toBe('Sep 3, 2026, 04:07')
  expect(longDay(time, false)).toBe('3 September')
  expect(longDay(time, true)).toBe('3 September 2026')
})

test('a calendar day is the same in every time zone', () => expect(day('2026-11-02')).toBe('2 Nov 2026'))

describe('ago', () => {
  const now = new Date(2026, 10, 21, 14, 2, 0).getTime()
  test.each([
    [2, 'just now'],
    [12, '12 s ago'],
    [300, '5 min ago'],
    [3 * 3600, '3 h ago'],
    [2 * 86_400, 'Thu 14:02'],
    [19 * 86_400, '2 Nov'],
    [400 * 86_400, '17 Oct 2025'],
  ])('%s s before is %s', (passed, text) => expect(ago(now - passed * 1000, now)).toBe(text))
})
