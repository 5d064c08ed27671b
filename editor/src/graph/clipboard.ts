import { DOCUMENT_FORMAT, PLAIN_FORMAT } from './document'
import type { Fragment } from './edits/paste'
import { isRecord, parseDocument } from './parse'

/** Media type of a node type that is dragged from the palette to the canvas. */
export const NODE_DRAG_TYPE = 'application/x-impasto-node'

const FRAGMENT_KIND = 'impasto/fragment'

/** Serializes nodes as text for the clipboard. */
export function fragmentToText(fragment: Fragment): string {
  const format = fragment.variables ? DOCUMENT_FORMAT : PLAIN_FORMAT
  return JSON.stringify({ kind: FRAGMENT_KIND, format, ...fragment }, null, 2)
}

/** Parses copied nodes, or a whole agent file; null when the text is neither. */
export function fragmentFromText(text: string): Fragment | null {
  try {
    const data: unknown = JSON.parse(text)
    if (!isRecord(data) || !Array.isArray(data.nodes)) return null
    const { nodes, edges, variables } = parseDocument(data)
    if (nodes.length === 0) return null
    return { nodes, edges, groups: parseGroups(data.groups), ...(variables?.length && { variables }) }
  } catch {
    return null
  }
}

function parseGroups(data: unknown): NonNullable<Fragment['groups']> {
  if (!Array.isArray(data)) return []
  return data.filter(isRecord).map((group) => ({
    title: typeof group.title === 'string' ? group.title : 'Group',
    members: Array.isArray(group.members)
      ? group.members.filter((member): member is string => typeof member === 'string')
      : [],
  }))
}
