import { useCallback, useRef } from 'react'
import { useView } from '@/document/use-session'
import type { View } from '../interactions/visible-part'
import { bitmapSize, drawnZoom, gapAt, RADIUS, transformOf } from './dots-place'
import { useDrawing } from './use-drawing'

/**
 * The dots behind the cards. They are a bitmap that the compositor moves, and scales while the canvas moves, because
 * drawing them takes a large part of the time of a frame.
 */
export function Dots() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isMoving = useView((view) => view.isMoving)
  const drawn = useRef<{ zoom: number; key: string } | null>(null)
  const draw = useCallback(
    ({ transform, width, height }: View) => {
      if (!canvas.current) return
      const key = [width, height, window.devicePixelRatio, document.documentElement.dataset.theme].join(' ')
      const last = drawn.current?.key === key ? drawn.current.zoom : null
      const zoom = drawnZoom(transform[2], isMoving ? last : null)
      if (zoom !== last) paint(canvas.current, zoom, bitmapSize(width), bitmapSize(height))
      drawn.current = { zoom, key }
      canvas.current.style.transform = transformOf(transform, zoom)
    },
    [isMoving],
  )
  useDrawing(draw)
  return (
    <canvas
      ref={canvas}
      aria-hidden
      data-testid="canvas-dots"
      className="pointer-events-none absolute top-0 left-0 -z-1 origin-top-left will-change-transform"
    />
  )
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
