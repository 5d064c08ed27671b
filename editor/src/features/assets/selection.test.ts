import { expect, it } from 'vitest'
import { EMPTY_SELECTION, extended, toggled, withoutRemoved } from './selection'

const order = ['a', 'b', 'c', 'd', 'e']
const ids = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort()

it('chooses and lets go one by one', () => {
  const one = toggled(EMPTY_SELECTION, 'b')
  expect(ids(one)).toEqual(['b'])
  expect(ids(toggled(one, 'b'))).toEqual([])
})

it('chooses a range from the last one chosen, either way', () => {
  const start = toggled(EMPTY_SELECTION, 'd')
  expect(ids(extended(start, 'b', order))).toEqual(['b', 'c', 'd'])
  expect(ids(extended(extended(start, 'b', order), 'e', order))).toEqual(['b', 'c', 'd', 'e'])
  expect(ids(extended(EMPTY_SELECTION, 'c', order))).toEqual(['c'])
})

it('lets go what has left the list, and is the same when nothing has', () => {
  const both = toggled(toggled(EMPTY_SELECTION, 'a'), 'e')
  expect(ids(withoutRemoved(both, ['a', 'b']))).toEqual(['a'])
  expect(withoutRemoved(both, order)).toBe(both)
})
