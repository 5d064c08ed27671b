import {
  BaseEdge,
  type ConnectionLineComponentProps,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
} from '@xyflow/react'
import { X } from 'lucide-react'
import { memo } from 'react'
import { create } from 'zustand'
import { useSession, useStepStatus, useView } from '@/document/use-session'
import { disconnect } from '@/graph/edits/edges'
import { pointOn, svgPath } from '@/graph/routing/edge-path'
import { classes } from '@/lib/classes'
import { i18n } from '@/lib/i18n'
import { colorOfType, colorVariable } from '@/lib/type-colors'
import type { CanvasEdge } from '../interactions/canvas-elements'
import { pathBetween } from './edge-lanes'

interface HighlightedEdge {
  /** The edge under the pointer. */
  readonly pointed: string | null
  /** The edge that would take in the dragged card. */
  readonly receiving: string | null
}

/** The highlighted edges, in a separate store so that hovering re-renders only the edges concerned. */
export const useHighlightedEdge = create<HighlightedEdge>(() => ({ pointed: null, receiving: null }))

export function useHighlight(id: string): 'pointed' | 'receiving' | null {
  return useHighlightedEdge((state) => {
    if (state.receiving === id) return 'receiving'
    return state.pointed === id ? 'pointed' : null
  })
}

/** An edge in the pigment of its value type; animated while its source runs. */
export const FlowEdge = memo(function FlowEdge(props: EdgeProps<CanvasEdge>) {
  const { id, source, data, selected, sourceX, sourceY, targetX, targetY } = props
  const session = useSession()
  const flowing = useStepStatus(source) === 'running'
  const hot = useHighlight(id)
  const path = pathBetween({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, data?.lane)
  const { x, y } = pointOn(path, 0.5)
  const stroke = colorVariable[colorOfType(data?.type ?? 'Any')]
  const remove = session.canEdit && (selected || hot === 'pointed')
  return (
    <>
      <BaseEdge
        id={id}
        path={svgPath(path)}
        interactionWidth={22}
        className={classes(flowing && 'edge-animated')}
        style={{ stroke, ...(hot === 'receiving' && { strokeWidth: 6, opacity: 0.55 }) }}
      />
      {((data?.mapDepth ?? 0) > 0 && (selected || hot === 'pointed')) || remove ? (
        <EdgeLabelRenderer>
          <div
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
            className="nodrag nopan pointer-events-auto absolute z-10 flex items-center gap-1"
          >
            {(data?.mapDepth ?? 0) > 0 && (
              <span className="rounded-pill border border-hairline bg-surface px-2 py-0.5 text-micro text-muted shadow-card">
                {i18n.t('canvas:edge.oncePerItem')}
              </span>
            )}
            {remove && (
              <button
                type="button"
                aria-label={i18n.t('canvas:edge.remove')}
                title={i18n.t('canvas:edge.remove')}
                data-edge={id}
                onClick={() => data && session.edit((document) => disconnect(document, data.edge))}
                className="grid size-6 place-items-center rounded-pill border border-hairline-strong bg-surface text-muted shadow-card hover:bg-sunken hover:text-madder-text"
              >
                <X className="size-3.5" />
              </button>
            )}
          </div>
        </EdgeLabelRenderer>
      ) : null}
    </>
  )
})

/** The edge while it is being drawn. */
export function ConnectionLine(props: ConnectionLineComponentProps) {
  const { fromX, fromY, toX, toY, fromPosition, toPosition, connectionStatus } = props
  const type = useView((view) => view.connecting?.valueType ?? 'Any')
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
    curvature: 0.4,
  })
  const refused = connectionStatus === 'invalid'
  return (
    <path
      d={path}
      fill="none"
      strokeWidth={2.2}
      stroke={refused ? 'var(--madder)' : colorVariable[colorOfType(type)]}
      strokeDasharray={refused ? '4 5' : undefined}
    />
  )
}
