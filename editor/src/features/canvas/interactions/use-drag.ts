import { type OnNodeDrag, useReactFlow } from '@xyflow/react'
import { useCallback } from 'react'
import { useSession } from '@/document/use-session'
import { edgeId, type FlowDocument, type Point, parseEnd } from '@/graph/document'
import { changeNote } from '@/graph/edits/annotations'
import { insertInto } from '@/graph/edits/edges'
import { moveNodes } from '@/graph/edits/nodes'
import { useHighlightedEdge } from '../edges/flow-edge'
import { type CanvasEdge, type CanvasNode, type CardNode, sizeOf } from './canvas-elements'
import { nearestEdge } from './nearest-edge'

/** Drags cards: an edge under an unconnected card takes it in; the document is changed when the drag ends. */
export function useDrag(clearGuides: () => void, edges: { readonly current: readonly CanvasEdge[] }) {
  const session = useSession()
  const { getNodes } = useReactFlow<CanvasNode>()

  const receiving = useCallback(
    (node: CanvasNode, dragged: readonly CanvasNode[]) => {
      if (dragged.length !== 1 || node.type !== 'card' || isWired(session.document, node.id)) return null
      const size = sizeOf(node)
      const middle = {
        x: node.position.x + size.width / 2,
        y: node.position.y + Math.min(60, size.height / 2),
      }
      const edge = nearestEdge(middle, edges.current, cardsOf(getNodes()), node.id)
      const fits = edge && insertInto(session.document, session.catalog, edge, node.id) !== session.document
      return fits ? edge : null
    },
    [session, getNodes, edges],
  )

  const onNodeDrag: OnNodeDrag<CanvasNode> = useCallback(
    (_, node, dragged) => {
      const edge = receiving(node, dragged)
      const id = edge && edgeId(edge)
      if (useHighlightedEdge.getState().receiving !== id) useHighlightedEdge.setState({ receiving: id })
    },
    [receiving],
  )

  const onNodeDragStop: OnNodeDrag<CanvasNode> = useCallback(
    (_, node, dragged) => {
      clearGuides()
      useHighlightedEdge.setState({ receiving: null })
      const edge = receiving(node, dragged)
      const places = placesFrom(getNodes())
      session.edit((document) => {
        const moved = moveNotes(moveNodes(document, places), places)
        return edge ? insertInto(moved, session.catalog, edge, node.id) : moved
      })
    },
    [session, receiving, clearGuides, getNodes],
  )

  return { onNodeDrag, onNodeDragStop }
}

export function cardsOf(nodes: readonly CanvasNode[]): Map<string, CardNode> {
  return new Map(nodes.flatMap((node) => (node.type === 'card' ? [[node.id, node] as const] : [])))
}

function placesFrom(nodes: readonly CanvasNode[]): Map<string, Point> {
  return new Map(nodes.filter((node) => node.type !== 'group').map((node) => [node.id, node.position]))
}

function moveNotes(document: FlowDocument, places: ReadonlyMap<string, Point>): FlowDocument {
  return (document.canvas?.notes ?? []).reduce((moved, note) => {
    const place = places.get(note.id)
    const still = !place || (place.x === note.position.x && place.y === note.position.y)
    return still
      ? moved
      : changeNote(moved, note.id, { position: { x: Math.round(place.x), y: Math.round(place.y) } })
  }, document)
}

function isWired(document: FlowDocument, id: string): boolean {
  return document.edges.some((edge) => parseEnd(edge.from).node === id || parseEnd(edge.to).node === id)
}
