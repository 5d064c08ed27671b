import { Panel, useReactFlow, useStoreApi } from '@xyflow/react'
import { type PointerEvent, useCallback, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { colorOfType, type TypeColor } from '@/lib/type-colors'
import { type CanvasNode, sizeOf } from '../interactions/canvas-elements'
import { useLiveViewport } from '../interactions/live-viewport'
import type { View } from '../interactions/visible-part'
import { around, type Box, type Frame, frameOf, placed, visibleBox } from './minimap-frame'
import { useDrawing } from './use-drawing'

const SIZE = { width: 148, height: 96 }
/** The round corners of a card, in flow units, and the radius in pixels from which they are seen. */
const CORNER = 24
const LEAST_CORNER = 0.8
/** Doublings of the zoom for a pixel of the wheel. */
const WHEEL_STEP = 0.002

type MinimapProps = { nodes: readonly CanvasNode[]; isWide: boolean }

/**
 * All cards as blocks, and the part that the canvas shows: drag it to move the canvas, turn the wheel to zoom. The blocks
 * are one drawing, which is made again when a card changes, not when the canvas moves.
 */
export function Minimap({ nodes, isWide }: MinimapProps) {
  const { t } = useTranslation('canvas')
  const canvas = useRef<HTMLCanvasElement>(null)
  const mask = useRef<SVGPathElement>(null)
  const blocks = useMemo(() => blocksOf(nodes), [nodes])
  const cards = useMemo(() => boundsOf(blocks), [blocks])
  const drawn = useRef<{ blocks: unknown; key: string } | null>(null)
  const draw = useCallback(
    (view: View) => {
      const visible = visibleBox(view)
      const frame = frameOf(cards, visible, SIZE)
      const theme = document.documentElement.dataset.theme
      const key = [frame.scale, frame.origin.x, frame.origin.y, window.devicePixelRatio, theme].join(' ')
      if (canvas.current && (drawn.current?.blocks !== blocks || drawn.current.key !== key)) {
        paint(canvas.current, blocks, frame)
        drawn.current = { blocks, key }
      }
      mask.current?.setAttribute('d', maskOf(placed(visible, frame)))
    },
    [blocks, cards],
  )
  useDrawing(draw)
  const { surface, ...handlers } = useMinimapGestures(cards)
  return (
    <Panel
      position="bottom-left"
      data-testid="minimap"
      className={classes(
        'react-flow__minimap !m-0 !bottom-[calc(16px+var(--dock-height,0px))] overflow-hidden rounded-m border border-hairline shadow-card max-lg:!hidden',
        isWide ? '!left-[264px]' : '!left-4',
      )}
      style={SIZE}
    >
      <div
        ref={surface}
        role="img"
        aria-label={t('tools.minimap')}
        className="relative size-full touch-none"
        {...handlers}
      >
        <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full" />
        <svg aria-hidden className="absolute inset-0 size-full">
          <path ref={mask} fillRule="evenodd" className="react-flow__minimap-mask" />
        </svg>
      </div>
    </Panel>
  )
}

/** The blocks of each color, the color of groups first, beneath the others. */
type Blocks = ReadonlyMap<string, readonly Box[]>

function blocksOf(nodes: readonly CanvasNode[]): Blocks {
  const blocks = new Map<string, Box[]>([['sunken', []]])
  for (const node of nodes) {
    const color = colorOf(node)
    const own = blocks.get(color) ?? []
    blocks.set(color, own)
    own.push({ x: node.position.x, y: node.position.y, ...sizeOf(node) })
  }
  return blocks
}

function colorOf(node: CanvasNode): TypeColor | 'sunken' {
  if (node.type === 'note') return 'ochre'
  if (node.type === 'group') return 'sunken'
  return colorOfType(node.data.outputs[0]?.type ?? 'Any')
}

function boundsOf(blocks: Blocks): Box | null {
  let all: Box | null = null
  for (const boxes of blocks.values()) for (const box of boxes) all = around(all, box)
  return all
}

function paint(canvas: HTMLCanvasElement, blocks: Blocks, frame: Frame) {
  const ratio = window.devicePixelRatio
  canvas.width = Math.round(SIZE.width * ratio)
  canvas.height = Math.round(SIZE.height * ratio)
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.scale(ratio, ratio)
  const styles = getComputedStyle(canvas)
  const radius = CORNER / frame.scale
  for (const [color, boxes] of blocks) {
    pen.fillStyle = styles.getPropertyValue(`--${color}`)
    pen.beginPath()
    for (const box of boxes) {
      const { x, y, width, height } = placed(box, frame)
      if (radius < LEAST_CORNER) pen.rect(x, y, width, height)
      else pen.roundRect(x, y, width, height, radius)
    }
    pen.fill()
  }
}

/** All but the visible part. */
function maskOf({ x, y, width, height }: Box): string {
  const all = `M0,0h${SIZE.width}v${SIZE.height}h${-SIZE.width}z`
  return `${all}M${x},${y}h${width}v${height}h${-width}z`
}

function useMinimapGestures(cards: Box | null) {
  const store = useStoreApi()
  const live = useLiveViewport()
  const { setViewport, zoomTo } = useReactFlow()
  const surface = useRef<HTMLDivElement>(null)
  // The wheel must not scroll or zoom the page, and React listens to it passively.
  useEffect(() => {
    const element = surface.current
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const [, , zoom] = live.get()
      void zoomTo(zoom * 2 ** (-event.deltaY * WHEEL_STEP))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [live, zoomTo])
  const last = useRef({ x: 0, y: 0 })
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    last.current = { x: event.clientX, y: event.clientY }
  }
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { clientX, clientY } = event
    const { width, height } = store.getState()
    const transform = live.get()
    const [x, y, zoom] = transform
    const by = frameOf(cards, visibleBox({ transform, width, height }), SIZE).scale * zoom
    void setViewport({ x: x - (clientX - last.current.x) * by, y: y - (clientY - last.current.y) * by, zoom })
    last.current = { x: clientX, y: clientY }
  }
  return { surface, onPointerDown, onPointerMove }
}
