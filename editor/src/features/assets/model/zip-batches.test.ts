import { expect, it } from 'vitest'
import { zipBatches } from './zip-batches'

const sizes = (...bytes: number[]) =>
  zipBatches(
    bytes.map((size) => ({ bytes: size })),
    10,
  )
const sums = (...bytes: number[]) => sizes(...bytes).map((parcel) => parcel.map((item) => item.bytes))

it('keeps together what fits, in order', () => {
  expect(sums(4, 4, 2, 1)).toEqual([[4, 4, 2], [1]])
  expect(sums(5, 6, 5, 4)).toEqual([[5], [6], [5, 4]])
})

it('sends alone what is larger than a parcel', () => expect(sums(1, 30, 2)).toEqual([[1], [30], [2]]))

it('has nothing to send of nothing', () => expect(sums()).toEqual([]))
