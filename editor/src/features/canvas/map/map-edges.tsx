import { useStoreApi } from '@xyflow/react'
import { useEffect, useMemo, useRef } from 'react'
import type { Pigment } from '@/lib/pigments'
import type { SurfaceEdge } from '../surface/edges'
import type { SurfaceNode } from '../surface/nodes'
import { inSight, type Line, linesOf } from './lines'

type MapEdgesProps = { nodes: readonly SurfaceNode[]; edges: readonly SurfaceEdge[] }

/** All edges in one drawing: from afar nobody takes hold of one, and a thousand elements could not follow a hand. */
export function MapEdges({ nodes, edges }: MapEdgesProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const store = useStoreApi()
  const lines = useMemo(() => linesOf(nodes, edges), [nodes, edges])
  useEffect(() => {
    let frame = 0
    const draw = () => {
      frame = 0
      const { transform, width, height } = store.getState()
      if (canvas.current) paint(canvas.current, lines, transform, { width, height })
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
  }, [store, lines])
  return <canvas ref={canvas} aria-hidden className="pointer-events-none absolute inset-0 -z-1 size-full" />
}

type Transform = readonly [number, number, number]

function paint(
  canvas: HTMLCanvasElement,
  lines: ReadonlyMap<Pigment, readonly Line[]>,
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
  pen.lineWidth = Math.max(2.2, 0.8 / zoom)
  pen.globalAlpha = 0.7
  const box = { left: -x / zoom, top: -y / zoom, right: (width - x) / zoom, bottom: (height - y) / zoom }
  const colours = getComputedStyle(canvas)
  for (const [pigment, those] of lines) {
    pen.strokeStyle = colours.getPropertyValue(`--${pigment}`)
    pen.beginPath()
    for (const line of those) if (inSight(line, box)) bend(pen, line)
    pen.stroke()
  }
}

/** The same bend as an edge that is seen from near. */
function bend(pen: CanvasRenderingContext2D, [x1, y1, x2, y2]: Line) {
  const gap = x2 - x1
  const reach = gap >= 0 ? gap / 2 : 10 * Math.sqrt(-gap)
  pen.moveTo(x1, y1)
  pen.bezierCurveTo(x1 + reach, y1, x2 - reach, y2, x2, y2)
}
