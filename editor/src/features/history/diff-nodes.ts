import { type Edge, type Node, Position } from '@xyflow/react'
import type { Catalog } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import { diff, type FlowDiff, type NodeChange } from '@/graph/diff'
import { edgeId, type FlowDocument, type FlowEdge, type FlowNode, parseEnd } from '@/graph/document'
import { describeSettings } from '@/graph/setting-fields'
import { colorOfType, colorVariable } from '@/lib/type-colors'

export type DiffStatus = 'added' | 'removed' | 'changed' | 'unchanged'

export type DiffNode = Node<
  { title: string; summary: string; mark: DiffStatus; change: NodeChange | null },
  'compared'
>

export interface DiffElements {
  readonly changes: FlowDiff
  readonly nodes: DiffNode[]
  readonly edges: Edge[]
}

const WIDTH = 230
const HEIGHT = 90

/** How the parts are told to those who do not see them. */
export interface DiffText {
  readonly node: (title: string, mark: DiffStatus) => string
  readonly edge: (from: string, to: string, mark: DiffStatus) => string
}

/** Both documents on one canvas: what is new, what is gone, what is otherwise. */
export function diffElements(
  before: FlowDocument,
  after: FlowDocument,
  catalog: Catalog,
  says: DiffText,
): DiffElements {
  const changes = diff(before, after)
  const removed = new Set(changes.nodes.removed)
  const gone = before.nodes.filter((node) => removed.has(node.id))
  const marks = marksOf(changes)
  const nodes = [...after.nodes, ...gone].map((node) => diffNode(node, marks, changes, catalog, says))
  const known = new Set(changes.edges.added.map(edgeId))
  const edges = [
    ...after.edges.map((edge) =>
      diffEdge(edge, known.has(edgeId(edge)) ? 'added' : 'unchanged', after, catalog, says),
    ),
    ...changes.edges.removed.map((edge) => diffEdge(edge, 'removed', before, catalog, says)),
  ]
  return { changes, nodes, edges }
}

function marksOf({ nodes }: FlowDiff): Map<string, DiffStatus> {
  return new Map<string, DiffStatus>([
    ...nodes.added.map((id) => [id, 'added'] as const),
    ...nodes.removed.map((id) => [id, 'removed'] as const),
    ...nodes.changed.map(({ id }) => [id, 'changed'] as const),
  ])
}

function diffNode(
  node: FlowNode,
  marks: ReadonlyMap<string, DiffStatus>,
  changes: FlowDiff,
  catalog: Catalog,
  says: DiffText,
): DiffNode {
  const type = catalog.typeOf(node)
  const title = titleOf(node, catalog)
  const mark = marks.get(node.id) ?? 'unchanged'
  const middle = { y: 34, width: 1, height: 1 }
  return {
    id: node.id,
    type: 'compared',
    position: node.position,
    // Said beforehand: what has not been on screen is not measured, and would be left out where all is to be shown.
    measured: { width: WIDTH, height: HEIGHT },
    handles: [
      { type: 'target', position: Position.Left, x: 0, ...middle },
      { type: 'source', position: Position.Right, x: WIDTH, ...middle },
    ],
    ariaRole: 'article',
    ariaLabel: says.node(title, mark),
    data: {
      title,
      summary: type ? describeSettings(node, type) : node.type,
      mark,
      change: changes.nodes.changed.find(({ id }) => id === node.id) ?? null,
    },
  }
}

function diffEdge(
  edge: FlowEdge,
  mark: DiffStatus,
  document: FlowDocument,
  catalog: Catalog,
  says: DiffText,
): Edge {
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  const source = document.nodes.find((node) => node.id === from.node)
  const target = document.nodes.find((node) => node.id === to.node)
  const port = source && catalog.typeOf(source)?.outputs.find(({ name }) => name === from.port)
  const plain = colorVariable[colorOfType(port?.type ?? 'Any')]
  const stroke = mark === 'added' ? 'var(--viridian)' : mark === 'removed' ? 'var(--madder)' : plain
  return {
    id: `${mark} ${edgeId(edge)}`,
    source: from.node,
    target: to.node,
    ariaLabel: says.edge(
      source ? titleOf(source, catalog) : from.node,
      target ? titleOf(target, catalog) : to.node,
      mark,
    ),
    style: { stroke, strokeWidth: 2.2, ...(mark === 'removed' && { strokeDasharray: '6 6' }) },
  }
}
