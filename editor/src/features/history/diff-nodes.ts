import { type Edge, type Node, Position } from '@xyflow/react'
import type { Catalogue } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import { diff, type FlowDiff, type NodeChange } from '@/graph/diff'
import { edgeId, type FlowDocument, type FlowEdge, type FlowNode, parseEnd } from '@/graph/document'
import { summaryOf } from '@/graph/setting-fields'
import { pigmentOf, pigmentVariable } from '@/lib/type-colors'

export type Mark = 'added' | 'removed' | 'changed' | 'unchanged'

export type ComparedNode = Node<
  { title: string; summary: string; mark: Mark; change: NodeChange | null },
  'compared'
>

export interface Compared {
  readonly changes: FlowDiff
  readonly nodes: ComparedNode[]
  readonly edges: Edge[]
}

const WIDTH = 230
const HEIGHT = 90

/** How the parts are told to those who do not see them. */
export interface Says {
  readonly node: (title: string, mark: Mark) => string
  readonly edge: (from: string, to: string, mark: Mark) => string
}

/** Both documents on one canvas: what is new, what is gone, what is otherwise. */
export function compare(
  before: FlowDocument,
  after: FlowDocument,
  catalogue: Catalogue,
  says: Says,
): Compared {
  const changes = diff(before, after)
  const removed = new Set(changes.nodes.removed)
  const gone = before.nodes.filter((node) => removed.has(node.id))
  const marks = marksOf(changes)
  const nodes = [...after.nodes, ...gone].map((node) => comparedNode(node, marks, changes, catalogue, says))
  const known = new Set(changes.edges.added.map(edgeId))
  const edges = [
    ...after.edges.map((edge) =>
      comparedEdge(edge, known.has(edgeId(edge)) ? 'added' : 'unchanged', after, catalogue, says),
    ),
    ...changes.edges.removed.map((edge) => comparedEdge(edge, 'removed', before, catalogue, says)),
  ]
  return { changes, nodes, edges }
}

function marksOf({ nodes }: FlowDiff): Map<string, Mark> {
  return new Map<string, Mark>([
    ...nodes.added.map((id) => [id, 'added'] as const),
    ...nodes.removed.map((id) => [id, 'removed'] as const),
    ...nodes.changed.map(({ id }) => [id, 'changed'] as const),
  ])
}

function comparedNode(
  node: FlowNode,
  marks: ReadonlyMap<string, Mark>,
  changes: FlowDiff,
  catalogue: Catalogue,
  says: Says,
): ComparedNode {
  const type = catalogue.typeOf(node)
  const title = titleOf(node, catalogue)
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
      summary: type ? summaryOf(node, type) : node.type,
      mark,
      change: changes.nodes.changed.find(({ id }) => id === node.id) ?? null,
    },
  }
}

function comparedEdge(
  edge: FlowEdge,
  mark: Mark,
  document: FlowDocument,
  catalogue: Catalogue,
  says: Says,
): Edge {
  const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
  const source = document.nodes.find((node) => node.id === from.node)
  const target = document.nodes.find((node) => node.id === to.node)
  const port = source && catalogue.typeOf(source)?.outputs.find(({ name }) => name === from.port)
  const plain = pigmentVariable[pigmentOf(port?.type ?? 'Any')]
  const stroke = mark === 'added' ? 'var(--viridian)' : mark === 'removed' ? 'var(--madder)' : plain
  return {
    id: `${mark} ${edgeId(edge)}`,
    source: from.node,
    target: to.node,
    ariaLabel: says.edge(
      source ? titleOf(source, catalogue) : from.node,
      target ? titleOf(target, catalogue) : to.node,
      mark,
    ),
    style: { stroke, strokeWidth: 2.2, ...(mark === 'removed' && { strokeDasharray: '6 6' }) },
  }
}
