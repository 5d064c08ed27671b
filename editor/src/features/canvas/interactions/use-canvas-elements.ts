import {
  applyEdgeChanges,
  applyNodeChanges,
  type EdgeChange,
  type NodeChange,
  type NodePositionChange,
} from '@xyflow/react'
import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react'
import { useCatalog, useDocument, useSession, useView } from '@/document/use-session'
import { useLanes } from '../edges/edge-lanes'
import { type Guide, snapChanges } from './alignment-guides'
import {
  type CanvasEdge,
  type CanvasNode,
  reconcileEdges,
  reconcileNodes,
  withGroups,
} from './canvas-elements'
import { useOverview } from './use-low-zoom'

/**
 * The React Flow nodes and edges during a gesture. The document is changed at its end, so that a drag is one undo
 * step and a thousand cards are not copied sixty times a second.
 */
export function useCanvasElements() {
  const session = useSession()
  const document = useDocument((flow) => flow)
  const catalog = useCatalog()
  const chosenNodes = useView((view) => view.nodes)
  const chosenEdges = useView((view) => view.edges)
  const [nodes, setNodes] = useState(() => reconcileNodes([], document, catalog, new Set()))
  const [edges, setEdges] = useState(() => reconcileEdges([], document, catalog, new Set()))
  const [guides, setGuides] = useState<readonly Guide[]>([])
  const latest = useRef(nodes)
  latest.current = nodes

  useEffect(() => {
    setNodes((now) => reconcileNodes(now, document, catalog, new Set(chosenNodes)))
  }, [document, chosenNodes, catalog])

  useEffect(() => {
    setEdges((now) => reconcileEdges(now, document, catalog, new Set(chosenEdges)))
  }, [document, chosenEdges, catalog])

  usePortsAfterOverview(setNodes)

  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasNode>[]) => {
      const before = latest.current
      const snapped = snapChanges(changes, before, session.view.getState().zoom)
      if (snapped.guides !== null) setGuides(snapped.guides)
      const moved = [...snapped.changes, ...membersMoved(snapped.changes, before)]
      setNodes((now) => regroup(applyNodeChanges(moved, now), session.document, moved))
      selectChanged(session, moved)
    },
    [session],
  )

  const onEdgesChange = useCallback(
    (changes: EdgeChange<CanvasEdge>[]) => {
      setEdges((now) => applyEdgeChanges(changes, now))
      const picked = changes.filter((change) => change.type === 'select')
      if (picked.length === 0) return
      const chosen = new Set(session.view.getState().edges)
      for (const { id, selected } of picked) selected ? chosen.add(id) : chosen.delete(id)
      session.view.setState({ edges: [...chosen] })
    },
    [session],
  )

  const clearGuides = useCallback(() => setGuides([]), [])
  const routed = useLanes(nodes, edges)
  const latestEdges = useRef(routed)
  latestEdges.current = routed
  return { nodes, edges: routed, guides, clearGuides, onNodesChange, onEdgesChange, latest, latestEdges }
}

/**
 * React Flow finds no ports on the blocks of the overview. New objects of all nodes make it read the places of their ports
 * from them again, also of those that are not drawn: measuring each would take seconds in a large flow.
 */
function usePortsAfterOverview(setNodes: Dispatch<SetStateAction<CanvasNode[]>>) {
  const isOverview = useOverview()
  const was = useRef(isOverview)
  useEffect(() => {
    if (was.current && !isOverview) setNodes((nodes) => nodes.map((node) => ({ ...node })))
    was.current = isOverview
  }, [isOverview, setNodes])
}

type Session = ReturnType<typeof useSession>

/** Dragging a group moves its members. */
function membersMoved(
  changes: readonly NodeChange<CanvasNode>[],
  nodes: readonly CanvasNode[],
): NodePositionChange[] {
  const movedIds = new Set(changes.flatMap((change) => (change.type === 'position' ? [change.id] : [])))
  return changes.flatMap((change) => {
    if (change.type !== 'position' || !change.position) return []
    const group = nodes.find((node) => node.id === change.id)
    if (group?.type !== 'group') return []
    const by = { x: change.position.x - group.position.x, y: change.position.y - group.position.y }
    return nodes
      .filter((node) => group.data.group.members.includes(node.id) && !movedIds.has(node.id))
      .map((node) => ({
        id: node.id,
        type: 'position' as const,
        position: { x: node.position.x + by.x, y: node.position.y + by.y },
        dragging: change.dragging ?? false,
      }))
  })
}

function regroup(
  nodes: CanvasNode[],
  document: Session['document'],
  changes: readonly NodeChange<CanvasNode>[],
): CanvasNode[] {
  if (!changes.some((change) => change.type === 'position' || change.type === 'dimensions')) return nodes
  if (!nodes.some((node) => node.type === 'group')) return nodes
  const before = new Map(nodes.map((node) => [node.id, node]))
  const selected = new Set(nodes.filter((node) => node.selected).map((node) => node.id))
  return withGroups(
    document,
    nodes.filter((node) => node.type !== 'group'),
    before,
    selected,
  )
}

function selectChanged(session: Session, changes: readonly NodeChange<CanvasNode>[]) {
  const picked = changes.filter((change) => change.type === 'select')
  if (picked.length === 0) return
  const chosen = new Set(session.view.getState().nodes)
  for (const { id, selected } of picked) selected ? chosen.add(id) : chosen.delete(id)
  session.view.setState({ nodes: [...chosen] })
}
