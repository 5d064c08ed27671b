import type { Fragment } from './edits/paste'
import { isRecord, parseDocument } from './parse'

/** Media type of a node type that is dragged from the palette to the canvas. */
export const NODE_DRAG_TYPE = 'application/x-impasto-node'

const FRAGMENT_KIND = 'impasto/fragment'

/** Serializes nodes as text for the clipboard. */
export function fragmentToText(fragment: Fragment): string {
  return JSON.stringify({ kind: FRAGMENT_KIND, format: 1, ...fragment }, null, 2)
}

/** Parses copied nodes, or a whole agent file; null when the text is neither. */
export function fragmentFromText(text: string): Fragment | null {
  try {
    const data: unknown = JSON.parse(text)
    if (!isRecord(data) || !Array.isArray(data.nodes)) return null
    const { nodes, edges } = parseDocument(data)
    return nodes.length > 0 ? { nodes, edges, groups: parseGroups(data.groups) } : null
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
