import { expect, it } from 'vitest'
import { EMPTY_SELECTION, extended, toggled, withoutRemoved } from './selection'

const order = ['a', 'b', 'c', 'd', 'e']
const ids = (selection: { ids: ReadonlySet<string> }) => [...selection.ids].sort()

it('toggles single assets', () => {
  const one = toggled(EMPTY_SELECTION, 'b')
  expect(ids(one)).toEqual(['b'])
  expect(ids(toggled(one, 'b'))).toEqual([])
})

it('selects a range from the last selected asset, in either direction', () => {
  const start = toggled(EMPTY_SELECTION, 'd')
  expect(ids(extended(start, 'b', order))).toEqual(['b', 'c', 'd'])
  expect(ids(extended(extended(start, 'b', order), 'e', order))).toEqual(['b', 'c', 'd', 'e'])
  expect(ids(extended(EMPTY_SELECTION, 'c', order))).toEqual(['c'])
})

it('removes deleted assets, and returns the same object when there are none', () => {
  const both = toggled(toggled(EMPTY_SELECTION, 'a'), 'e')
  expect(ids(withoutRemoved(both, ['a', 'b']))).toEqual(['a'])
  expect(withoutRemoved(both, order)).toBe(both)
})
