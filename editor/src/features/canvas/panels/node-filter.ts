import type { NodeType } from '@/graph/catalog'
import { rankNode } from '@/graph/node-search'

/** The value of the option that adds a node of this type. */
export function typeValue(type: NodeType): string {
  return `new ${type.id}`
}

/**
 * The filter of a list that offers new nodes of these types beside others: types are found and ranked as in the
 * palette, all other options by the words of their value and before them.
 */
export function nodeFilter(types: readonly NodeType[]): (value: string, query: string) => number {
  const byValue = new Map(types.map((type) => [typeValue(type), type]))
  return (value, query) => {
    const type = byValue.get(value)
    if (!type) return hasWords(value, query) ? 1 : 0
    const rank = rankNode(type, query)
    return rank === null ? 0 : 1 / (2 + rank)
  }
}

function hasWords(text: string, query: string): boolean {
  const lower = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
