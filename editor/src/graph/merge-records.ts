import { isEqual, type Side } from './differences'

/** What the person chose, by the key of a whole thing or of one of its parts. */
export type Choices = ReadonlyMap<string, Side>

/** Key by key; what nobody chose is as the side has it that changed it, mine where both did. */
export function mergeRecords(
  start: object | undefined,
  mine: object,
  theirs: object,
  choose: (key: string) => Side | undefined,
): Record<string, unknown> {
  const [begun, left, right] = [start ?? {}, mine, theirs] as Record<string, unknown>[] as [
    Record<string, unknown>,
    Record<string, unknown>,
    Record<string, unknown>,
  ]
  const names = [...new Set([...Object.keys(right), ...Object.keys(left)])]
  const entries = names.map((name) => {
    const side = choose(name) ?? (isEqual(begun[name], left[name]) ? 'theirs' : 'mine')
    return [name, side === 'mine' ? left[name] : right[name]] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
