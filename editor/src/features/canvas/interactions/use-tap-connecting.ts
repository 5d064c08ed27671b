import { type NodeMouseHandler, type OnConnectStart, useStoreApi } from '@xyflow/react'
import { type MouseEvent, useCallback, useEffect } from 'react'
import { useSession } from '@/document/use-session'
import { WIDTHS } from '@/lib/browser-hooks'
import type { CanvasNode } from './canvas-elements'
import { beginConnection, connectToCard, orderedEnds, showRejection } from './connection-target'
import { useMultiSelectMode } from './multi-select-mode'

/**
 * Connects with two taps or clicks: a port, then its target (a port, a card, or the empty canvas, which opens the
 * palette). React Flow connects two ports itself; the preview and the other two targets are handled here. Disabled
 * in multi-select mode, where taps and strokes select.
 */
export function useTapConnecting() {
  const session = useSession()
  const store = useStoreApi()
  const isSeveral = useMultiSelectMode()

  useEffect(
    () =>
      session.view.subscribe(({ connecting }, before) => {
        if (before.connecting?.byTap && !connecting) store.setState({ connectionClickStartHandle: null })
      }),
    [session, store],
  )

  const onClickConnectStart: OnConnectStart = useCallback(
    (_, { nodeId, handleId, handleType }) => {
      if (!nodeId || !handleId || !handleType) return
      beginConnection(session, { end: { node: nodeId, port: handleId }, side: handleType }, true)
    },
    [session],
  )

  const onClickConnectEnd = useCallback(
    (event: unknown) => {
      const { target, clientX: x, clientY: y } = event as globalThis.MouseEvent
      const { connecting } = session.view.getState()
      const port = (target as Element).closest<HTMLElement>('.react-flow__handle')?.dataset
      if (!connecting || !port?.nodeid || !port.handleid) return
      session.view.setState({ connecting: null })
      const other = { node: port.nodeid, port: port.handleid }
      const again = other.node === connecting.end.node && other.port === connecting.end.port
      if (!again) showRejection(session, orderedEnds(connecting.end, other, connecting.side), { x, y })
    },
    [session],
  )

  const onNodeClick: NodeMouseHandler<CanvasNode> = useCallback(
    ({ clientX: x, clientY: y, shiftKey, ctrlKey, metaKey, target }, node) => {
      const { connecting, nodes } = session.view.getState()
      // A press on one of several selected cards selects that card only.
      const more = shiftKey || ctrlKey || metaKey || useMultiSelectMode.getState()
      if (nodes.length > 1 && nodes.includes(node.id) && !more) {
        session.view.select([node.id])
      }
      if (!more && isInspectorOverlaid() && !(target as Element).closest(OWN_CONTROL))
        session.viewport?.focusNode(node.id)
      if (!connecting?.byTap || connecting.end.node === node.id) return
      session.view.setState({ connecting: null })
      connectToCard(session, node.id, connecting, { x, y })
    },
    [session],
  )

  const onPaneClick = useCallback(
    ({ clientX: x, clientY: y }: MouseEvent) => {
      const { connecting } = session.view.getState()
      const screen = { x, y }
      const from = connecting?.byTap ? { end: connecting.end, side: connecting.side } : null
      const at = session.viewport?.toFlowPosition(screen) ?? screen
      session.view.setState({
        rejection: null,
        connecting: null,
        isPaletteOpen: false,
        palette: from && { at, screen, from },
      })
    },
    [session],
  )

  return {
    onClickConnectStart,
    onClickConnectEnd,
    onNodeClick,
    onPaneClick,
    selectionOnDrag: isSeveral,
    panOnDrag: !isSeveral,
  }
}

const OWN_CONTROL = 'button, input, textarea, select, [role=button], [role=radio], [role=slider], .nodrag'

/** When selecting a card opens the inspector, scrolls the card out from under it. */
function isInspectorOverlaid(): boolean {
  return window.innerWidth >= WIDTHS.desk && window.innerWidth < WIDTHS.wide
}
