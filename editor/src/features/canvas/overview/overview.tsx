import { useStore, useStoreApi, ViewportPortal } from '@xyflow/react'
import { X } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { appearanceOf } from '@/components/node/node-appearance'
import { useSession, useStepStatus, useView } from '@/document/use-session'
import { sizeOfShape } from '@/graph/card-size'
import { nameEnd, titleOf } from '@/graph/connect'
import { edgeId, type Point } from '@/graph/document'
import { disconnect } from '@/graph/edits/edges'
import { drawPath, type Extent, overlaps, pointOn } from '@/graph/routing/edge-path'
import { colorOfType, colorVariable, type TypeColor } from '@/lib/type-colors'
import { type CanvasEdge, type CanvasNode, type CardNode, labelId } from '../interactions/canvas-elements'
import type { View } from '../interactions/visible-part'
import { type DrawnPart, isEnough, partToDraw, placeOf } from './drawn-part'
import { type EdgeLine, edgeLineAt, edgeLinesOf, extentOfAll, linesByColor } from './edge-lines'
import { useDrawing } from './use-drawing'

/** A card in the overview: a block in its color, filled by the progress of its step. */
export function OverviewCard({ data, selected }: { data: CardNode['data']; selected: boolean }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { node, type } = data
  const status = useStepStatus(node.id)
  const title = titleOf(node, session.catalog)
  return (
    <article
      id={labelId(node.id)}
      aria-label={status === 'pending' ? title : `${title}, ${t(`node.${status}`)}`}
      data-status={status}
      data-selected={selected || undefined}
      style={{ ...sizeOfShape(data), color: colorVariable[colorOfType(appearanceOf(type).type)] }}
      className="node-card overview-card"
    />
  )
}

type OverviewEdgesProps = { nodes: readonly CanvasNode[]; edges: readonly CanvasEdge[] }

/** Draws all edges in one element for speed; hits are computed from the geometry. */
export function OverviewEdges({ nodes, edges }: OverviewEdgesProps) {
  const edgeLines = useMemo(() => edgeLinesOf(nodes, edges), [nodes, edges])
  const { pointed, picked } = useEdgePicking(edgeLines)
  const chosen = useView((view) => view.edges)
  const drawing = useMemo(() => drawingOf(edgeLines, pointed, chosen), [edgeLines, pointed, chosen])
  const only = chosen.length === 1 ? edgeLines.find(({ id }) => id === chosen[0]) : undefined
  return (
    <>
      <EdgeBitmap drawing={drawing} />
      {only && <SelectedEdge edgeLine={only} at={picked?.id === only.id ? picked.at : null} />}
    </>
  )
}

/** The drawing as a bitmap. While the canvas moves, the compositor moves and scales it as far as it reaches. */
function EdgeBitmap({ drawing }: { drawing: Drawing }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isMoving = useView((view) => view.isMoving)
  const drawn = useRef<{ drawing: Drawing; part: DrawnPart } | null>(null)
  const draw = useCallback(
    (view: View) => {
      if (!canvas.current) return
      const last = drawn.current
      const isKept = isMoving && last?.drawing === drawing && isEnough(last.part, view, drawing.extent)
      const part = isKept ? last.part : partToDraw(view, drawing.extent)
      if (!isKept) paint(canvas.current, drawing, part)
      drawn.current = { drawing, part }
      canvas.current.style.transform = placeOf(part, view)
    },
    [drawing, isMoving],
  )
  useDrawing(draw)
  return (
    <canvas
      ref={canvas}
      aria-hidden
      className="pointer-events-none absolute top-0 left-0 -z-1 origin-top-left will-change-transform"
    />
  )
}

interface Drawing {
  readonly lines: ReadonlyMap<TypeColor, readonly EdgeLine[]>
  readonly strong: readonly EdgeLine[]
  /** The box of all lines. */
  readonly extent: Extent
}

function drawingOf(
  edgeLines: readonly EdgeLine[],
  pointed: string | null,
  chosen: readonly string[],
): Drawing {
  const strong = new Set(pointed ? [...chosen, pointed] : chosen)
  return {
    lines: linesByColor(edgeLines),
    strong: strong.size > 0 ? edgeLines.filter(({ id }) => strong.has(id)) : [],
    extent: extentOfAll(edgeLines),
  }
}

function paint(canvas: HTMLCanvasElement, { lines, strong }: Drawing, part: DrawnPart) {
  const { zoom, left, top } = part
  const ratio = window.devicePixelRatio
  const [width, height] = [Math.ceil((part.right - left) * zoom), Math.ceil((part.bottom - top) * zoom)]
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  canvas.width = Math.ceil(width * ratio)
  canvas.height = Math.ceil(height * ratio)
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, -ratio * left * zoom, -ratio * top * zoom)
  const styles = getComputedStyle(canvas)
  const stroke = (color: TypeColor, those: readonly EdgeLine[]) => {
    pen.strokeStyle = styles.getPropertyValue(`--${color}`)
    pen.beginPath()
    for (const { path, extent } of those) if (overlaps(extent, part)) drawPath(pen, path)
    pen.stroke()
  }
  pen.lineWidth = Math.max(2.2, 0.8 / zoom)
  pen.globalAlpha = strong.length > 0 ? 0.5 : 0.7
  for (const [color, those] of lines) stroke(color, those)
  pen.lineWidth = Math.max(3.4, 2.6 / zoom)
  pen.globalAlpha = 1
  for (const line of strong) stroke(line.color, [line])
}

/** Height of the bars at the top; no label is placed beneath them. */
const TOOLBAR_HEIGHT = 180

/** The label of the selected line, readable at any zoom, with a button that removes the edge. */
export function SelectedEdge({ edgeLine, at }: { edgeLine: EdgeLine; at: Point | null }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const zoom = useStore((state) => state.transform[2])
  const top = useStore((state) => state.transform[1])
  const edge = session.document.edges.find((one) => edgeId(one) === edgeLine.id)
  if (!edge) return null
  const titleAt = (end: string, side: 'source' | 'target') =>
    nameEnd(session.document, session.catalog, end, side).node
  const { x, y } = at ?? pointOn(edgeLine.path, 0.5)
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

/** Maximum distance between a press and a line, in screen pixels. */
const PICK_RADIUS = 7
const PICK_RADIUS_TOUCH = 16

/** Hit-testing for lines, which are not elements: a press selects the line under the pointer. */
export function useEdgePicking(edgeLines: readonly EdgeLine[]) {
  const session = useSession()
  const store = useStoreApi()
  const latest = useRef(edgeLines)
  latest.current = edgeLines
  const [pointed, setPointed] = useState<string | null>(null)
  const [picked, setPicked] = useState<{ id: string; at: Point } | null>(null)

  useEffect(() => {
    const { domNode } = store.getState()
    if (!domNode) return
    const under = (event: PointerEvent | MouseEvent, reach: number) => {
      if (!(event.target as Element).closest('.react-flow__pane')) return null
      const at = session.viewport?.toFlowPosition({ x: event.clientX, y: event.clientY })
      const edgeLine = at && edgeLineAt(at, latest.current, reach / store.getState().transform[2])
      return edgeLine ? { id: edgeLine.id, at } : null
    }
    const point = (id: string | null) => {
      setPointed(id)
      domNode.toggleAttribute('data-over-edge', id !== null)
    }
    const onMove = (event: PointerEvent) => {
      if (event.pointerType === 'mouse')
        point(event.buttons === 0 ? (under(event, PICK_RADIUS)?.id ?? null) : null)
    }
    const onClick = (event: MouseEvent) => {
      if (!(event.target as Element).closest('.react-flow__pane')) return
      const byTouch = (event as PointerEvent).pointerType === 'touch'
      const found = under(event, byTouch ? PICK_RADIUS_TOUCH : PICK_RADIUS)
      const before = event.metaKey || event.ctrlKey ? session.view.getState().edges : []
      setPicked(found)
      session.view.setState({ edges: found ? [...new Set([...before, found.id])] : [] })
    }
    const onLeave = () => point(null)
    domNode.addEventListener('pointermove', onMove)
    domNode.addEventListener('pointerleave', onLeave)
    domNode.addEventListener('click', onClick)
    return () => {
      domNode.removeEventListener('pointermove', onMove)
      domNode.removeEventListener('pointerleave', onLeave)
      domNode.removeEventListener('click', onClick)
      domNode.removeAttribute('data-over-edge')
    }
  }, [session, store])

  return { pointed, picked }
}
