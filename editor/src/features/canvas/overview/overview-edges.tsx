import { useStoreApi } from '@xyflow/react'
import { useEffect, useMemo, useRef } from 'react'
import { useView } from '@/document/use-session'
import type { TypeColor } from '@/lib/type-colors'
import type { CanvasEdge } from '../interactions/flow-edges'
import type { CanvasNode } from '../interactions/flow-nodes'
import { curvatureOf, type EdgeLine, edgeLinesOf, isVisible, type Line, linesByColor } from './edge-lines'
import { SelectedEdge } from './selected-edge'
import { useEdgePicking } from './use-edge-picking'

type OverviewEdgesProps = { nodes: readonly CanvasNode[]; edges: readonly CanvasEdge[] }

/** All edges in one drawing, since a thousand elements could not follow a hand; which one is meant is worked out. */
export function OverviewEdges({ nodes, edges }: OverviewEdgesProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const store = useStoreApi()
  const threads = useMemo(() => edgeLinesOf(nodes, edges), [nodes, edges])
  const { pointed, picked } = useEdgePicking(threads)
  const chosen = useView((view) => view.edges)
  const drawing = useMemo(() => {
    const lines = linesByColor(threads)
    const strong = new Set(pointed ? [...chosen, pointed] : chosen)
    return { lines, strong: strong.size > 0 ? threads.filter(({ id }) => strong.has(id)) : [] }
  }, [threads, chosen, pointed])
  useEffect(() => {
    let frame = 0
    const draw = () => {
      frame = 0
      const { transform, width, height } = store.getState()
      if (canvas.current) paint(canvas.current, drawing, transform, { width, height })
    }
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    draw()
    const stop = store.subscribe(soon)
    const themed = new MutationObserver(soon)
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      stop()
      themed.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [store, drawing])
  const only = chosen.length === 1 ? threads.find(({ id }) => id === chosen[0]) : undefined
  return (
    <>
      <canvas ref={canvas} aria-hidden className="pointer-events-none absolute inset-0 -z-1 size-full" />
      {only && <SelectedEdge thread={only} at={picked?.id === only.id ? picked.at : null} />}
    </>
  )
}

type Drawing = { lines: ReadonlyMap<TypeColor, readonly Line[]>; strong: readonly EdgeLine[] }
type Transform = readonly [number, number, number]

function paint(
  canvas: HTMLCanvasElement,
  { lines, strong }: Drawing,
  [x, y, zoom]: Transform,
  { width, height }: { width: number; height: number },
) {
  const ratio = window.devicePixelRatio
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio)
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio)
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.setTransform(1, 0, 0, 1, 0, 0)
  pen.clearRect(0, 0, canvas.width, canvas.height)
  pen.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y)
  const box = { left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom }
  const colours = getComputedStyle(canvas)
  const stroke = (color: TypeColor, those: readonly Line[]) => {
    pen.strokeStyle = colours.getPropertyValue(`--${color}`)
    pen.beginPath()
    for (const line of those) if (isVisible(line, box)) bend(pen, line)
    pen.stroke()
  }
  pen.lineWidth = Math.max(2.2, 0.8 / zoom)
  pen.globalAlpha = strong.length > 0 ? 0.5 : 0.7
  for (const [color, those] of lines) stroke(color, those)
  pen.lineWidth = Math.max(3.4, 2.6 / zoom)
  pen.globalAlpha = 1
  for (const { color, line } of strong) stroke(color, [line])
}

function bend(pen: CanvasRenderingContext2D, line: Line) {
  const [x1, y1, x2, y2] = line
  const reach = curvatureOf(line)
  pen.moveTo(x1, y1)
  pen.bezierCurveTo(x1 + reach, y1, x2 - reach, y2, x2, y2)
}
