/** A fixed sequence of whole numbers; each call returns the next one, from 0 to below the given limit. */
export function fixedNumbers(start: number): (below: number) => number {
  let state = start
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 65_536) % below
  }
}
