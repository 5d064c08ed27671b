import { useCallback, useRef } from 'react'
import { useView } from '@/document/use-session'
import { useIsCrowded } from '../interactions/use-low-zoom'
import type { View } from '../interactions/visible-part'
import { bitmapSize, drawnZoom, gapAt, RADIUS, transformOf } from './dots-place'
import { useDrawing } from './use-drawing'

/**
 * The dots behind the cards. Those of a large flow are a bitmap, since the compositor scales it in half the time of a
 * frame; those of any other are a pattern, which other threads draw, and which is there sooner when a flow opens.
 */
export function Dots() {
  return useIsCrowded() ? <DotBitmap /> : <DotPattern />
}

/** The zoom that the dots are drawn for: while the canvas moves, drawn ones are scaled. */
function useDrawnZoom() {
  const isMoving = useView((view) => view.isMoving)
  const drawn = useRef<{ zoom: number; key: string } | null>(null)
  /** Returns the zoom, and whether dots must be drawn for it. `key` stands for all else that they are drawn for. */
  return useCallback(
    (zoom: number, key = '') => {
      const last = drawn.current?.key === key ? drawn.current.zoom : null
      const next = drawnZoom(zoom, isMoving ? last : null)
      drawn.current = { zoom: next, key }
      return [next, next !== last] as const
    },
    [isMoving],
  )
}

const LOOK = 'pointer-events-none absolute top-0 left-0 -z-1 origin-top-left'

function DotPattern() {
  const svg = useRef<SVGSVGElement>(null)
  const zoomOf = useDrawnZoom()
  const draw = useCallback(
    ({ transform }: View) => {
      if (!svg.current) return
      const [zoom, isNew] = zoomOf(transform[2])
      if (isNew) drawPattern(svg.current, zoom)
      svg.current.style.transform = transformOf(transform, zoom)
    },
    [zoomOf],
  )
  useDrawing(draw)
  return (
    <svg
      ref={svg}
      aria-hidden
      // Covers the canvas at its least scale too. Its background makes it opaque, which spares the compositor blending it.
      className={`canvas-dots size-[calc(170%+80px)] bg-paper ${LOOK}`}
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
  set('pattern', ['width', 'height'], gapAt(zoom))
  set('circle', ['cx', 'cy', 'r'], RADIUS * zoom)
}

function DotBitmap() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const zoomOf = useDrawnZoom()
  const draw = useCallback(
    ({ transform, width, height }: View) => {
      if (!canvas.current) return
      const key = [width, height, window.devicePixelRatio, document.documentElement.dataset.theme].join(' ')
      const [zoom, isNew] = zoomOf(transform[2], key)
      if (isNew) paint(canvas.current, zoom, bitmapSize(width), bitmapSize(height))
      canvas.current.style.transform = transformOf(transform, zoom)
    },
    [zoomOf],
  )
  useDrawing(draw)
  return <canvas ref={canvas} aria-hidden className={`will-change-transform ${LOOK}`} />
}

/** Draws one row, and copies it: thousands of circles take ten times as long. */
function paint(canvas: HTMLCanvasElement, zoom: number, width: number, height: number) {
  const ratio = window.devicePixelRatio
  const styles = getComputedStyle(canvas)
  const [gap, radius] = [gapAt(zoom) * ratio, RADIUS * zoom * ratio]
  const row = document.createElement('canvas')
  row.width = Math.ceil(width * ratio)
  row.height = Math.ceil(2 * radius)
  const rowPen = row.getContext('2d')
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  canvas.width = row.width
  canvas.height = Math.ceil(height * ratio)
  // Opaque, which spares the compositor blending it.
  const pen = canvas.getContext('2d', { alpha: false })
  if (!pen || !rowPen) return
  rowPen.fillStyle = styles.getPropertyValue('--hairline-strong')
  for (let x = radius; x < row.width; x += gap) {
    rowPen.beginPath()
    rowPen.arc(x, radius, radius, 0, 2 * Math.PI)
    rowPen.fill()
  }
  pen.fillStyle = styles.getPropertyValue('--paper')
  pen.fillRect(0, 0, canvas.width, canvas.height)
  for (let y = 0; y < canvas.height; y += gap) pen.drawImage(row, 0, y)
}
