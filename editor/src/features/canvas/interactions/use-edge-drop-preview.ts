import { useConnection } from '@xyflow/react'
import { useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '@/document/session'
import { useSession, useView } from '@/document/use-session'
import type { EdgeDropPreview } from '@/document/view-store'
import { checkConnection, nameEnd, titleOf } from '@/graph/connect'
import { type End, type FlowEdge, type FlowNode, findNode, formatEnd, type Point } from '@/graph/document'
import { edgeDropOn } from '@/graph/edge-drop'
import { describePort, portAt } from '@/graph/ports'
import { cardAt, type LooseEnd, orderedEnds, settingRowAt } from './connection-target'

/** While an edge is drawn, shows what releasing it at the pointer does. */
export function useEdgeDropPreview(): void {
  const session = useSession()
  const { t } = useTranslation('canvas')
  const connecting = useView((view) => view.connecting)
  // React Flow snaps to a port near the pointer.
  const snapped = useConnection(({ toHandle }) =>
    toHandle ? formatEnd({ node: toHandle.nodeId, port: toHandle.id ?? '' }) : null,
  )
  const snappedNow = useRef(snapped)
  snappedNow.current = snapped

  const preview = useCallback(
    (loose: LooseEnd, { x, y }: Point): EdgeDropPreview | null => {
      const words = wordsOf(session, loose, t)
      const setting = settingRowAt({ x, y })
      if (setting && loose.side === 'source') return atPort(session, loose, setting, { x, y }, words)
      const card = cardAt({ x, y })
      const at = snappedNow.current
      const node = findNode(session.document, at ? at.slice(0, at.indexOf('.')) : (card?.dataset.id ?? ''))
      if (!node || node.id === loose.end.node) return null
      const box = card?.getBoundingClientRect()
      const screen = box ? { x: box.left + box.width / 2, y: box.top } : { x, y }
      if (at) {
        const port = at.slice(at.indexOf('.') + 1)
        return atPort(session, loose, { node: node.id, port }, screen, words)
      }
      return onCard(session, loose, node, screen, words)
    },
    [session, t],
  )

  useEffect(() => {
    if (!connecting) {
      if (session.view.getState().edgeDrop) session.view.setState({ edgeDrop: null })
      return
    }
    const onMove = (event: PointerEvent) => {
      const next = preview(connecting, { x: event.clientX, y: event.clientY })
      const { edgeDrop: now } = session.view.getState()
      const same = now?.node === next?.node && now?.port === next?.port && now?.words === next?.words
      if (!same) session.view.setState({ edgeDrop: next })
    }
    window.addEventListener('pointermove', onMove)
    return () => window.removeEventListener('pointermove', onMove)
  }, [connecting, preview, session])
}

type Words = ReturnType<typeof wordsOf>

function onCard(
  { document, catalog }: Session,
  { end, side: start }: LooseEnd,
  node: FlowNode,
  screen: Point,
  words: Words,
): EdgeDropPreview {
  const edgeDrop = edgeDropOn(document, catalog, node, end, start)
  const where = { node: node.id, port: null, side: start === 'source' ? 'target' : 'source', screen } as const
  if (edgeDrop?.kind === 'ask') return { ...where, words: words.asks(edgeDrop.options.length), tone: 'plain' }
  if (edgeDrop?.kind !== 'port') return { ...where, words: words.refused(node.id), tone: 'refused' }
  const { port, replaces } = edgeDrop.option
  const tone = replaces ? 'replaces' : 'plain'
  return { ...where, port: port.name, words: words.lands(port.title, node.id, replaces), tone }
}

function atPort(
  session: Session,
  { end, side }: LooseEnd,
  other: End,
  screen: Point,
  words: Words,
): EdgeDropPreview | null {
  const { from, to } = orderedEnds(end, other, side)
  const verdict = checkConnection(session.document, session.catalog, from, to)
  const where = { ...other, side: side === 'source' ? 'target' : 'source', screen } as const
  if (!verdict.allowed) return { ...where, words: words.refused(other.node), tone: 'refused' }
  const node = findNode(session.document, other.node)
  const port = portAt(node, session.catalog, other, where.side)
  const { replaces } = verdict
  return {
    ...where,
    words: words.lands(port?.title ?? other.port, other.node, replaces),
    tone: replaces ? 'replaces' : 'plain',
  }
}

function wordsOf(
  { document, catalog }: Session,
  { end, side }: LooseEnd,
  t: ReturnType<typeof useTranslation<'canvas'>>['t'],
) {
  const start = findNode(document, end.node)
  const port = portAt(start, catalog, end, side)
  const type = port ? describePort(port) : ''
  const titleAt = (id: string) => {
    const node = findNode(document, id)
    return node ? titleOf(node, catalog) : id
  }
  return {
    lands: (title: string, node: string, replaces: FlowEdge | null) =>
      replaces
        ? t('edgeDrop.replaces', {
            port: title,
            node: titleAt(node),
            before: nameEnd(document, catalog, replaces.from, 'source').node,
          })
        : t('edgeDrop.lands', { port: title, node: titleAt(node) }),
    asks: (count: number) => t('edgeDrop.asks', { count }),
    refused: (node: string) => t(`edgeDrop.refused.${side}`, { node: titleAt(node), type }),
  }
}
