import type { Catalog, NodeType } from './catalog'
import { titleOf } from './connect'
import { type FlowDocument, type FlowNode, notesOf } from './document'

/** A node or note that a search found. */
export interface Found {
  readonly id: string
  readonly title: string
  /** What else tells it apart: its type if it has a title of its own, or the text that contains the words. */
  readonly text: string
  /** Null for a note. */
  readonly type: NodeType | undefined | null
}

const MAX_FOUND = 100
/** Longer texts are searched only up to here, so that a search ends while the user types. */
const MAX_TEXT = 10_000
const MAX_SHOWN = 40

/**
 * The nodes and notes with all words of a query: those whose title has them first, then those whose type, id, settings or
 * text has them. At most 100; without words, the first ones of the document.
 */
export function findOnCanvas(document: FlowDocument, catalog: Catalog, query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found: { entry: Found; rank: number }[] = []
  for (const node of document.nodes) {
    const type = catalog.typeOf(node)
    const title = titleOf(node, catalog)
    const own = node.title ? (type?.title ?? node.type) : ''
    const texts = textsOf(node)
    const rank = rankOf(words, title, [own, node.id, ...texts])
    if (rank === null) continue
    const text = own || (rank > 0 ? excerptOf(texts, words) : '')
    found.push({ entry: { id: node.id, title, text, type }, rank })
  }
  for (const { id, text } of notesOf(document)) {
    const [first = ''] = text.trim().split('\n', 1)
    const rank = rankOf(words, first, [text.slice(0, MAX_TEXT)])
    if (rank !== null)
      found.push({ entry: { id, title: first.slice(0, MAX_SHOWN), text: '', type: null }, rank })
  }
  found.sort((one, other) => one.rank - other.rank)
  return found.slice(0, MAX_FOUND).map(({ entry }) => entry)
}

function textsOf({ settings }: FlowNode): string[] {
  return Object.values(settings)
    .filter((value): value is string | number => typeof value === 'string' || typeof value === 'number')
    .map((value) => String(value).slice(0, MAX_TEXT))
}

function rankOf(words: readonly string[], title: string, others: readonly string[]): number | null {
  const name = title.toLowerCase()
  if (words.every((word) => name.includes(word))) return 0
  const all = [name, ...others].join('\n').toLowerCase()
  return words.every((word) => all.includes(word)) ? 1 : null
}

function excerptOf(texts: readonly string[], [word = '']: readonly string[]): string {
  const text = texts.find((one) => one.toLowerCase().includes(word)) ?? ''
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 8)
  return `${at > 0 ? '…' : ''}${text.slice(at, at + MAX_SHOWN)}`
}
