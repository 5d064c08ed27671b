/**
 * Search parameters for `navigate`: the latest ones with what differs between `shown` and `next`. What is shown may be
 * older than the address, so that two changes within a moment must not undo each other.
 */
export function changedSearch<Search extends object>(shown: Search, next: Search) {
  const names = Object.keys({ ...shown, ...next }) as (keyof Search)[]
  const changed = names.filter((name) => shown[name] !== next[name]).map((name) => [name, next[name]])
  return (latest: object) => ({ ...latest, ...Object.fromEntries(changed) }) as Search
}
