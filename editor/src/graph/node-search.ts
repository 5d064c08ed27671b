import type { Catalog, NodeType, PortType } from './catalog'
import { isCompatible } from './connect'
import { englishFor } from './translated-keywords'

export interface LooseEnd {
  /** The value type at the open end of the edge. */
  readonly type: string
  readonly list: boolean
  /** `source`: the edge starts at a port of this type, and needs a node that accepts it. */
  readonly side: 'source' | 'target'
}

export interface Section {
  /** A category, or what a search found: the best match, the others, or types that are only near. */
  readonly category: 'best' | 'also' | 'near' | (string & {})
  readonly types: readonly NodeType[]
}

/**
 * The node types for a search and an open edge. Without words, by category in catalog order. With words, the best
 * match over all categories first, then the others by rank; if none matches, the types whose words are nearest.
 */
export function sections(catalog: Catalog, query: string, loose: LooseEnd | null): Section[] {
  const offered = catalog.types.filter((type) => !type.deprecated && acceptsLooseEnd(type, loose, catalog))
  const words = wordsIn(query)
  if (words.length === 0) return byCategory(catalog, offered)
  const phrase = words.join(' ')
  const english = englishFor(phrase)
  const own = matching(offered, words)
  const found = own.length > 0 || !english ? own : matching(offered, wordsIn(english))
  const [best, ...others] = found
  if (!best) {
    const near = nearest(offered, phrase)
    return near.length > 0 ? [{ category: 'near', types: near }] : []
  }
  const also = others.length > 0 ? [{ category: 'also', types: others }] : []
  return [{ category: 'best', types: [best] }, ...also]
}

/** The types that have all the words, by rank. */
function matching(types: readonly NodeType[], words: readonly string[]): NodeType[] {
  const phrase = words.join(' ')
  const found = types.flatMap((type) => {
    const rank = rankOf(type, words, phrase)
    return rank === null ? [] : [{ type, rank }]
  })
  found.sort((one, other) => one.rank - other.rank)
  return found.map(({ type }) => type)
}

/** How well a search finds a type: 0 is best, null not at all. English words for it count less than its own. */
export function rankNode(type: NodeType, query: string): number | null {
  const words = wordsIn(query)
  const phrase = words.join(' ')
  const own = rankOf(type, words, phrase)
  if (own !== null) return own
  const english = englishFor(phrase)
  const translated = english ? rankOf(type, wordsIn(english), english) : null
  return translated === null ? null : WORST_RANK + 1 + translated
}

/** The keyword by which a search found a type whose title does not contain the words; null if there is none. */
export function matchedKeyword(type: NodeType, query: string): string | null {
  const words = wordsIn(query)
  const phrase = words.join(' ')
  const { title, keywords } = searchTextOf(type)
  if (words.length === 0 || words.every((word) => title.includes(word))) return null
  return keywords.find((keyword) => keyword.startsWith(phrase) || phrase.startsWith(keyword)) ?? null
}

function byCategory(catalog: Catalog, types: readonly NodeType[]): Section[] {
  const known = catalog.data.categories
  const own = [...new Set(types.map((type) => type.category))].filter((name) => !known.includes(name))
  return [...known, ...own]
    .map((category) => ({ category, types: types.filter((type) => type.category === category) }))
    .filter((section) => section.types.length > 0)
}

function wordsIn(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean)
}

interface SearchText {
  readonly title: string
  readonly keywords: readonly string[]
  /** All texts of the type, for words that neither its title nor a keyword has. */
  readonly text: string
}

const searchTexts = new WeakMap<NodeType, SearchText>()

/** The texts of a type in lower case, built once per type and not per key press. */
function searchTextOf(type: NodeType): SearchText {
  const known = searchTexts.get(type)
  if (known) return known
  const title = type.title.toLowerCase()
  const keywords = (type.keywords ?? []).map((keyword) => keyword.toLowerCase())
  const ports = [...type.inputs, ...type.outputs].map((port) => `${port.type} ${port.title}`)
  const text = [title, type.summary, type.help, type.category, ...keywords, ...ports].join(' ').toLowerCase()
  const made = { title, keywords, text }
  searchTexts.set(type, made)
  return made
}

const WORST_RANK = 6

/** How well a type matches, 0 best: its whole title, a keyword, words of the title, then the rest of its texts. */
function rankOf(type: NodeType, words: readonly string[], phrase: string): number | null {
  const { title, keywords, text } = searchTextOf(type)
  if (title === phrase) return 0
  const place = keywords.indexOf(phrase)
  // A type's first keywords describe it best.
  if (place >= 0) return 1 + place / keywords.length
  if (title.startsWith(phrase)) return 2
  if (startsWords(title, words)) return 3
  if (keywords.some((keyword) => startsWords(keyword, words))) return 4
  if (words.every((word) => title.includes(word))) return 5
  return words.every((word) => text.includes(word)) ? WORST_RANK : null
}

/** Whether each word begins a word of the text. */
function startsWords(text: string, words: readonly string[]): boolean {
  const own = text.split(/[\s-]+/)
  return words.every((word) => own.some((one) => one.startsWith(word)))
}

const MAX_NEAR = 5
/** Two texts are near if at least this share of their letter pairs is the same. */
const MIN_LIKENESS = 0.34

function nearest(types: readonly NodeType[], phrase: string): NodeType[] {
  const rated = types.map((type) => {
    const { title, keywords } = searchTextOf(type)
    const texts = [title, ...title.split(' '), ...keywords]
    return { type, likeness: Math.max(...texts.map((text) => likeness(text, phrase))) }
  })
  return rated
    .filter((one) => one.likeness >= MIN_LIKENESS)
    .sort((one, other) => other.likeness - one.likeness)
    .slice(0, MAX_NEAR)
    .map(({ type }) => type)
}

/** The share of letter pairs that two texts have in common (Sørensen-Dice), 0 to 1. */
function likeness(one: string, other: string): number {
  const [mine, theirs] = [pairsOf(one), pairsOf(other)]
  if (mine.size + theirs.size === 0) return 0
  let shared = 0
  for (const pair of mine) if (theirs.has(pair)) shared += 1
  return (2 * shared) / (mine.size + theirs.size)
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>()
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2))
  return pairs
}

function acceptsLooseEnd(type: NodeType, loose: LooseEnd | null, catalog: Catalog): boolean {
  if (!loose) return true
  const fit = (port: PortType) =>
    loose.side === 'source' ? isCompatible(loose, port, catalog) : isCompatible(port, loose, catalog)
  return (loose.side === 'source' ? type.inputs : type.outputs).some(fit)
}
