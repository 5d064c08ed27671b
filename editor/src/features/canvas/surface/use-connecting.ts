import {
  type Connection,
  type FinalConnectionState,
  type OnConnectStart,
  type OnReconnect,
  useReactFlow,
} from '@xyflow/react'
import { useCallback, useRef } from 'react'
import { link } from '@/document/actions'
import type { Session } from '@/document/session'
import { useSession } from '@/document/use-session'
import { judge } from '@/graph/connect'
import type { End, Point } from '@/graph/document'
import { disconnect, reconnect } from '@/graph/edits/edges'
import { inputPorts, outputPorts, portAt } from '@/graph/ports'
import { acceptsOf, type Side } from './accepts'
import type { SurfaceEdge } from './edges'

/** Drawing, moving and refusing edges. */
export function useConnecting() {
  const session = useSession()
  const { screenToFlowPosition } = useReactFlow()
  const moving = useRef<SurfaceEdge | null>(null)

  const onConnectStart: OnConnectStart = useCallback(
    (_, { nodeId, handleId, handleType }) => {
      if (!nodeId || !handleId || !handleType) return
      begin(session, { node: nodeId, port: handleId }, handleType)
    },
    [session],
  )

  const onConnect = useCallback(
    (connection: Connection) => {
      const ends = endsOf(connection)
      if (ends) link(session, ends.from, ends.to)
    },
    [session],
  )

  const onConnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      session.view.setState({ connecting: null })
      if (moving.current || state.isValid || !state.fromHandle) return
      const screen = pointOf(event)
      const { nodeId: node, id, type: side } = state.fromHandle
      const end = { node, port: id ?? '' }
      const at = screenToFlowPosition(screen)
      if (state.toHandle) {
        refuse(
          session,
          ordered(end, { node: state.toHandle.nodeId, port: state.toHandle.id ?? '' }, side),
          at,
          screen,
        )
      } else if (!dropOnCard(session, event, end, side, at, screen)) {
        session.view.setState({ palette: { at, screen, from: { end, side } } })
      }
    },
    [session, screenToFlowPosition],
  )

  const isValidConnection = useCallback(
    (connection: Connection | SurfaceEdge) => {
      const ends = endsOf(connection)
      if (!ends) return false
      const edge = moving.current?.data?.edge
      const document = edge ? disconnect(session.document, edge) : session.document
      return judge(document, session.catalogue, ends.from, ends.to, edge).allowed
    },
    [session],
  )

  const onReconnectStart = useCallback(
    (_: unknown, edge: SurfaceEdge, side: Side) => {
      moving.current = edge
      const fixed =
        side === 'source' ? { node: edge.source, port: edge.sourceHandle ?? '' } : endOfTarget(edge)
      begin(session, fixed, side === 'source' ? 'source' : 'target')
    },
    [session],
  )

  const onReconnect: OnReconnect<SurfaceEdge> = useCallback(
    (edge, connection) => {
      const ends = endsOf(connection)
      const old = edge.data?.edge
      if (ends && old) {
        session.edit((document) => reconnect(document, session.catalogue, old, ends.from, ends.to))
      }
    },
    [session],
  )

  const onReconnectEnd = useCallback(
    (_: unknown, edge: SurfaceEdge, __: Side, state: FinalConnectionState) => {
      moving.current = null
      session.view.setState({ connecting: null })
      const old = edge.data?.edge
      if (!state.toHandle && old) session.edit((document) => disconnect(document, old))
    },
    [session],
  )

  return {
    onConnectStart,
    onConnect,
    onConnectEnd,
    isValidConnection,
    onReconnectStart,
    onReconnect,
    onReconnectEnd,
  }
}

function begin(session: Session, end: End, side: Side) {
  const { document, catalogue } = session
  const node = document.nodes.find((one) => one.id === end.node)
  const pigmentType = portAt(node, catalogue, end, side)?.type ?? 'Any'
  const accepts = acceptsOf(document, catalogue, end, side)
  session.view.setState({ connecting: { end, side, pigmentType, accepts }, refusal: null })
}

/** Let go over a card: its first free port that fits takes the edge, or the card says why none does. */
function dropOnCard(
  session: Session,
  event: MouseEvent | TouchEvent,
  end: End,
  side: Side,
  at: Point,
  screen: Point,
): boolean {
  const { x, y } = pointOf(event)
  const card = window.document.elementFromPoint(x, y)?.closest<HTMLElement>('.react-flow__node-card')
  const node = session.document.nodes.find((one) => one.id === card?.dataset.id)
  if (!node) return false
  const type = session.catalogue.typeOf(node)
  const ports = side === 'source' ? inputPorts(node, type) : outputPorts(node, type)
  const pairs = ports.map((port) => ordered(end, { node: node.id, port: port.name }, side))
  const taken = new Set(session.document.edges.map((edge) => edge.to))
  const allowed = pairs.filter(({ from, to }) => judge(session.document, session.catalogue, from, to).allowed)
  const free = allowed.find(({ to }) => !taken.has(`${to.node}.${to.port}`)) ?? allowed[0]
  if (free) link(session, free.from, free.to)
  else if (pairs[0] && node.id !== end.node) refuse(session, pairs[0], at, screen)
  return true
}

function refuse(session: Session, { from, to }: { from: End; to: End }, at: Point, screen: Point) {
  const verdict = judge(session.document, session.catalogue, from, to)
  if (verdict.allowed) return
  session.view.setState({
    refusal: { reason: verdict.reason, bridges: verdict.bridges, from, to, at, screen },
  })
}

function ordered(end: End, other: End, side: Side): { from: End; to: End } {
  return side === 'source' ? { from: end, to: other } : { from: other, to: end }
}

function endsOf(connection: Connection | SurfaceEdge): { from: End; to: End } | null {
  const { source, sourceHandle, target, targetHandle } = connection
  if (!sourceHandle || !targetHandle) return null
  return { from: { node: source, port: sourceHandle }, to: { node: target, port: targetHandle } }
}

function endOfTarget(edge: SurfaceEdge): End {
  return { node: edge.target, port: edge.targetHandle ?? '' }
}

export function pointOf(event: MouseEvent | TouchEvent): Point {
  const at = 'changedTouches' in event ? event.changedTouches[0] : event
  return { x: at?.clientX ?? 0, y: at?.clientY ?? 0 }
}
