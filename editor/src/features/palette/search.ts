import type { Catalog, NodeType, PortType } from '@/graph/catalog'
import { isCompatible } from '@/graph/connect'

export interface LooseEnd {
  /** The value type at the open end of the edge. */
  readonly type: string
  readonly list: boolean
  /** `source`: the edge starts at a port of this type, and needs a node that accepts it. */
  readonly side: 'source' | 'target'
}

export interface Section {
  readonly category: string
  readonly types: readonly NodeType[]
}

/** The node types that match a search and an open edge, by category, in catalog order. */
export function sections(catalog: Catalog, query: string, loose: LooseEnd | null): Section[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = catalog.types.filter(
    (type) => !type.deprecated && acceptsLooseEnd(type, loose, catalog) && matches(type, words),
  )
  const known = catalog.data.categories
  const own = [...new Set(found.map((type) => type.category))].filter((name) => !known.includes(name))
  return [...known, ...own]
    .map((category) => ({ category, types: ranked(found, category, words) }))
    .filter((section) => section.types.length > 0)
}

function ranked(types: readonly NodeType[], category: string, words: readonly string[]): NodeType[] {
  const mine = types.filter((type) => type.category === category)
  if (words.length === 0) return mine
  const byTitle = (type: NodeType) => (words.every((word) => type.title.toLowerCase().includes(word)) ? 0 : 1)
  return mine.sort((one, other) => byTitle(one) - byTitle(other))
}

/** Whether every word occurs in the title, the help or the port types. */
function matches(type: NodeType, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const ports = [...type.inputs, ...type.outputs].map((port) => `${port.type} ${port.title}`)
  const text = [type.title, type.summary, type.help, type.category, ...ports].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

function acceptsLooseEnd(type: NodeType, loose: LooseEnd | null, catalog: Catalog): boolean {
  if (!loose) return true
  const fit = (port: PortType) =>
    loose.side === 'source' ? isCompatible(loose, port, catalog) : isCompatible(port, loose, catalog)
  return (loose.side === 'source' ? type.inputs : type.outputs).some(fit)
}
