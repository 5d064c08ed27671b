import { useStore, ViewportPortal } from '@xyflow/react'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { useSession } from '@/document/use-session'
import { edgeId, type Point } from '@/graph/document'
import { disconnect } from '@/graph/edits/edges'
import { nameEnd } from '@/graph/port-edges'
import { type EdgeLine, pointOn } from './edge-lines'

/** How far down the bars reach: nothing is told beneath them. */
const TOOLBAR_HEIGHT = 180

/** The chosen thread of the map: whose it is, readable at any zoom, and the way to take it away. */
export function SelectedEdge({ thread, at }: { thread: EdgeLine; at: Point | null }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const zoom = useStore((state) => state.transform[2])
  const top = useStore((state) => state.transform[1])
  const edge = session.document.edges.find((one) => edgeId(one) === thread.id)
  if (!edge) return null
  const titleAt = (end: string, side: 'source' | 'target') =>
    nameEnd(session.document, session.catalog, end, side).node
  const { x, y } = at ?? pointOn(thread.line, 0.5)
  const rise = y * zoom + top > TOOLBAR_HEIGHT ? 'calc(-100% - 10px)' : '14px'
  return (
    <ViewportPortal>
      <div
        style={{
          transform: `translate(${x}px, ${y}px) scale(${1 / zoom}) translate(-50%, ${rise})`,
        }}
        className="nodrag nopan pointer-events-auto absolute flex w-max max-w-80 origin-top-left items-center gap-1.5 rounded-pill border border-hairline bg-surface py-1 pr-1 pl-3 shadow-float"
      >
        <span role="status" className="min-w-0 truncate text-sm">
          {t('edge.label', { from: titleAt(edge.from, 'source'), to: titleAt(edge.to, 'target') })}
        </span>
        {session.canEdit && (
          <IconButton
            size="sm"
            tooltip={false}
            label={t('edge.remove')}
            icon={<X />}
            onClick={() => {
              session.edit((document) => disconnect(document, edge))
              session.view.setState({ edges: [] })
            }}
          />
        )}
      </div>
    </ViewportPortal>
  )
}
