import { expect, test } from 'vitest'
import type { ListedRun } from '@/lib/api/run-list'
import { linesOf, merged, sinceDays } from './days'

const run = (id: string, created_at = '2026-11-22T10:00:00', status = 'finished') =>
  ({ id, created_at, status }) as ListedRun

test('each local day has a heading before its first run', () => {
  const runs = [run('4'), run('3'), run('2', '2026-11-21T23:59:00'), run('1', '2026-11-20T00:01:00')]
  expect(linesOf(runs).map(({ key }) => key)).toEqual([
    '2026-11-22',
    '4',
    '3',
    '2026-11-21',
    '2',
    '2026-11-20',
    '1',
  ])
})

test('a run that was launched or has ended since the list was read is shown as it is now', () => {
  const known = [run('3', undefined, 'running'), run('1')]
  const shown = merged(known, [run('4'), run('3'), run('2')])
  expect(shown.map(({ id, status }) => [id, status])).toEqual([
    ['4', 'finished'],
    ['3', 'finished'],
    ['1', 'finished'],
  ])
  expect(merged([], [run('1')]).map(({ id }) => id)).toEqual(['1'])
})

test('a period starts at midnight, and one day is today', () => {
  const now = new Date(2026, 10, 22, 15, 30)
  expect(new Date(sinceDays(1, now))).toEqual(new Date(2026, 10, 22))
  expect(new Date(sinceDays(30, now))).toEqual(new Date(2026, 9, 24))
})
