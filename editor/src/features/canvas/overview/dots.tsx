import { useCallback, useRef } from 'react'
import { useView } from '@/document/use-session'
import { drawnZoom, GAP, RADIUS, transformOf } from './dots-place'
import { useDrawing, type View } from './use-drawing'

/**
 * The dots behind the cards. While the canvas moves, they are a layer that the compositor moves and scales, because
 * drawing them takes a large part of the time of a frame.
 */
export function Dots() {
  const svg = useRef<SVGSVGElement>(null)
  const isMoving = useView((view) => view.isMoving)
  const drawn = useRef<number | null>(null)
  const draw = useCallback(
    ({ transform }: View) => {
      if (!svg.current) return
      const zoom = drawnZoom(transform[2], isMoving ? drawn.current : null)
      if (zoom !== drawn.current) drawPattern(svg.current, zoom)
      drawn.current = zoom
      svg.current.style.transform = transformOf(transform, zoom)
    },
    [isMoving],
  )
  useDrawing(draw)
  return (
    <svg
      ref={svg}
      aria-hidden
      // Twice as large as the canvas and a gap of dots, so that it covers the canvas at its least scale too. Its
      // background makes it opaque, which spares the compositor blending it.
      className="canvas-dots pointer-events-none absolute top-0 left-0 -z-1 bg-paper h-[calc(200%+64px)] w-[calc(200%+64px)] origin-top-left"
    >
      <pattern id="canvas-dots" patternUnits="userSpaceOnUse">
        <circle fill="var(--hairline-strong)" />
      </pattern>
      <rect width="100%" height="100%" fill="url(#canvas-dots)" />
    </svg>
  )
}

function drawPattern(svg: SVGSVGElement, zoom: number) {
  const set = (selector: string, names: readonly string[], value: number) => {
    for (const name of names) svg.querySelector(selector)?.setAttribute(name, String(value))
  }
  set('pattern', ['width', 'height'], GAP * zoom)
  set('circle', ['cx', 'cy', 'r'], RADIUS * zoom)
}
