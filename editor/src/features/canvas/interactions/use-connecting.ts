import {
  type Connection,
  type FinalConnectionState,
  type OnConnectStart,
  type OnReconnect,
  useReactFlow,
} from '@xyflow/react'
import { useCallback, useRef } from 'react'
import { useSession } from '@/document/use-session'
import { checkConnection } from '@/graph/connect'
import type { End } from '@/graph/document'
import { disconnect, reconnect } from '@/graph/edits/edges'
import type { CanvasEdge } from './canvas-elements'
import {
  beginConnection,
  cardAt,
  connectToCard,
  connectToSetting,
  orderedEnds,
  pointOf,
  type Side,
  settingRowAt,
  showRejection,
} from './connection-target'
import { connectWithNotice, editWithNotice } from './replacement-notice'

/** Handlers for drawing, moving and refusing edges. */
export function useConnecting() {
  const session = useSession()
  const { screenToFlowPosition } = useReactFlow()
  const moving = useRef<CanvasEdge | null>(null)

  const onConnectStart: OnConnectStart = useCallback(
    (_, { nodeId, handleId, handleType }) => {
      if (!nodeId || !handleId || !handleType) return
      beginConnection(session, { end: { node: nodeId, port: handleId }, side: handleType })
    },
    [session],
  )

  const onConnect = useCallback(
    (connection: Connection) => {
      const ends = endsOf(connection)
      if (ends) connectWithNotice(session, ends.from, ends.to)
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
      const setting = settingRowAt(screen)
      if (setting && connectToSetting(session, setting, { end, side }, screen)) return
      if (state.toHandle) {
        showRejection(
          session,
          orderedEnds(end, { node: state.toHandle.nodeId, port: state.toHandle.id ?? '' }, side),
          screen,
        )
      } else if (!connectToCard(session, cardAt(screen)?.dataset.id ?? '', { end, side }, screen)) {
        session.view.setState({ palette: { at, screen, from: { end, side } } })
      }
    },
    [session, screenToFlowPosition],
  )

  const isValidConnection = useCallback(
    (connection: Connection | CanvasEdge) => {
      const ends = endsOf(connection)
      if (!ends) return false
      const edge = moving.current?.data?.edge
      const document = edge ? disconnect(session.document, edge) : session.document
      return checkConnection(document, session.catalog, ends.from, ends.to, edge).allowed
    },
    [session],
  )

  const onReconnectStart = useCallback(
    (_: unknown, edge: CanvasEdge, side: Side) => {
      moving.current = edge
      const fixed =
        side === 'source' ? { node: edge.source, port: edge.sourceHandle ?? '' } : endOfTarget(edge)
      beginConnection(session, { end: fixed, side })
    },
    [session],
  )

  const onReconnect: OnReconnect<CanvasEdge> = useCallback(
    (edge, connection) => {
      const ends = endsOf(connection)
      const old = edge.data?.edge
      if (ends && old) {
        editWithNotice(
          session,
          (document) => reconnect(document, session.catalog, old, ends.from, ends.to),
          old,
        )
      }
    },
    [session],
  )

  const onReconnectEnd = useCallback(
    (_: unknown, edge: CanvasEdge, __: Side, state: FinalConnectionState) => {
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

function endsOf(connection: Connection | CanvasEdge): { from: End; to: End } | null {
  const { source, sourceHandle, target, targetHandle } = connection
  if (!sourceHandle || !targetHandle) return null
  return { from: { node: source, port: sourceHandle }, to: { node: target, port: targetHandle } }
}

function endOfTarget(edge: CanvasEdge): End {
  return { node: edge.target, port: edge.targetHandle ?? '' }
}
