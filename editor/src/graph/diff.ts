import { edgeId, type FlowDocument, type FlowEdge, type FlowNode } from './document'
import { isRecord } from './parse'

export interface SettingChange {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

export interface NodeChange {
  readonly id: string
  readonly settings: readonly SettingChange[]
  readonly type?: { readonly before: string; readonly after: string }
  readonly title?: { readonly before: string; readonly after: string }
}

export interface FlowDiff {
  readonly nodes: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
    readonly changed: readonly NodeChange[]
  }
  readonly edges: { readonly added: readonly FlowEdge[]; readonly removed: readonly FlowEdge[] }
}

/** What someone would have to tell to lead from one document to the other; moving a card is not told. */
export function diff(before: FlowDocument, after: FlowDocument): FlowDiff {
  const old = new Map(before.nodes.map((node) => [node.id, node]))
  const fresh = new Map(after.nodes.map((node) => [node.id, node]))
  return {
    nodes: {
      added: after.nodes.filter((node) => !old.has(node.id)).map((node) => node.id),
      removed: before.nodes.filter((node) => !fresh.has(node.id)).map((node) => node.id),
      changed: after.nodes.flatMap((node) => nodeChange(old.get(node.id), node) ?? []),
    },
    edges: {
      added: without(after.edges, before.edges),
      removed: without(before.edges, after.edges),
    },
  }
}

export function isEmpty(changes: FlowDiff): boolean {
  const { nodes, edges } = changes
  return [nodes.added, nodes.removed, nodes.changed, edges.added, edges.removed].every(
    (list) => list.length === 0,
  )
}

/** '1 added, 2 changed': nodes first; connections are only told when no node changed. */
export function describeDiff(changes: FlowDiff): string {
  const { nodes, edges } = changes
  const parts = [
    count(nodes.added, 'added'),
    count(nodes.removed, 'removed'),
    count(nodes.changed, 'changed'),
  ]
  const sentence = parts.filter(Boolean).join(', ')
  if (sentence) return sentence
  const wires = [count(edges.added, 'connection added'), count(edges.removed, 'connection removed')]
  return wires.filter(Boolean).join(', ') || 'Nothing changed'
}

function count(list: readonly unknown[], word: string): string {
  return list.length === 0 ? '' : `${list.length} ${word}`
}

function without(list: readonly FlowEdge[], other: readonly FlowEdge[]): FlowEdge[] {
  const known = new Set(other.map(edgeId))
  return list.filter((edge) => !known.has(edgeId(edge)))
}

export function nodeChange(before: FlowNode | undefined, after: FlowNode): NodeChange | null {
  if (!before || before === after) return null
  const settings = settingChanges(before.settings, after.settings)
  const type = pair(before.type, after.type)
  const title = pair(before.title ?? '', after.title ?? '')
  if (settings.length === 0 && !type && !title) return null
  return { id: after.id, settings, ...(type && { type }), ...(title && { title }) }
}

function pair(before: string, after: string) {
  return before === after ? undefined : { before, after }
}

/** Setting by setting; objects are followed inwards, lists are told whole. */
function settingChanges(before: unknown, after: unknown, path = ''): SettingChange[] {
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => settingChanges(before[name], after[name], path ? `${path}.${name}` : name))
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }]
}
