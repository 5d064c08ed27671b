import { useRef } from 'react'

/** Keys for rows that are known by their names: a row that is renamed in its place keeps its key, and so its focus. */
export function useRowKeys(names: readonly string[]): readonly string[] {
  const rows = useRef({ names: [] as readonly string[], keys: [] as readonly string[], made: 0 })
  const before = rows.current
  const isSame = names.length === before.names.length && names.every((name, at) => name === before.names[at])
  if (isSame) return before.keys
  let { made } = before
  const keyOf = (name: string, at: number) => {
    const known = before.keys[before.names.indexOf(name)]
    if (known !== undefined) return known
    const replaced = before.names[at]
    const isRenamed =
      names.length === before.names.length && replaced !== undefined && !names.includes(replaced)
    made += 1
    return (isRenamed && before.keys[at]) || `${made}`
  }
  const keys = names.map(keyOf)
  rows.current = { names, keys, made }
  return keys
}
