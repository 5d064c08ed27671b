import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ZOOM_STEP } from './mask-tools'
import type { Color } from './overlay'
import { type Brush, type Canvas, Painter, type Place } from './painter'
import type { Step, Stroke } from './painting'

const ARROWS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

type PaintAreaProps = {
  canvas: Canvas
  steps: readonly Step[]
  brush: Brush
  painter: RefObject<Painter | null>
  onStroke: (stroke: Stroke) => void
  onZoom: (zoom: number) => void
  onMask: (mask: { isEmpty: boolean }) => void
  onInvert: () => void
  onBrush: (brush: Brush) => void
  /** Says something to screen readers. */
  onSay: (text: string) => void
  maxSize: number
}

/** The image with its mask, painted on with pointers or with the keys. */
export function PaintArea(props: PaintAreaProps) {
  const { canvas, steps, brush, painter, onSay } = props
  const { t } = useTranslation('mask')
  const area = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const hint = useId()
  useEffect(() => {
    const container = area.current
    if (!container) return
    const made = new Painter(container, canvas, accentColor(container), {
      onStroke: (stroke) => latest.current.onStroke(stroke),
      onZoom: (zoom) => latest.current.onZoom(zoom),
      onMask: (mask) => latest.current.onMask(mask),
    })
    made.setBrush(latest.current.brush)
    made.show(latest.current.steps)
    latest.current.onMask({ isEmpty: made.isEmpty })
    latest.current.painter.current = made
    return () => {
      made.destroy()
      latest.current.painter.current = null
    }
  }, [canvas])
  useEffect(() => painter.current?.show(steps), [steps, painter])
  useEffect(() => painter.current?.setBrush(brush), [brush, painter])

  const describe = ({ x, y, isPainted }: Place) =>
    t('place', {
      x: Math.round(x * 100),
      y: Math.round(y * 100),
      state: t(isPainted ? 'painted' : 'unpainted'),
    })

  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (move(event) || putDown(event) || act(event.key)) event.preventDefault()
  }

  function move({ key, shiftKey }: KeyboardEvent): boolean {
    const arrow = ARROWS[key]
    const by = shiftKey ? 1 : Math.max(1, brush.radius / 2)
    const place = arrow && painter.current?.moveCursor({ x: arrow.x * by, y: arrow.y * by })
    if (place) onSay(describe(place))
    return arrow !== undefined
  }

  function putDown({ key, repeat }: KeyboardEvent): boolean {
    if (key !== ' ') return false
    if (repeat || brush.tool === 'move') return true
    painter.current?.press()
    onSay(t(brush.tool === 'erase' ? 'beganErasing' : 'began'))
    return true
  }

  function resize(factor: number) {
    const next = Math.round(brush.radius * 2 * factor + Math.sign(factor - 1))
    const size = Math.min(props.maxSize, Math.max(1, next))
    props.onBrush({ ...brush, radius: size / 2 })
    onSay(`${t('size')}: ${t('pixels', { size })}`)
  }

  function switchTool() {
    const tool = brush.tool === 'erase' ? 'paint' : 'erase'
    props.onBrush({ ...brush, tool })
    onSay(t(`tool.${tool}`))
  }

  function act(key: string): boolean {
    const actions: Record<string, () => void> = {
      '[': () => resize(1 / 1.2),
      ']': () => resize(1.2),
      '+': () => painter.current?.zoom(ZOOM_STEP),
      '=': () => painter.current?.zoom(ZOOM_STEP),
      '-': () => painter.current?.zoom(1 / ZOOM_STEP),
      '0': () => painter.current?.fit(),
      i: props.onInvert,
      e: switchTool,
    }
    const action = actions[key.toLowerCase()]
    action?.()
    return action !== undefined
  }

  function lift() {
    painter.current?.release()
  }

  return (
    <>
      <div
        ref={area}
        role="application"
        aria-label={t('area')}
        aria-describedby={hint}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the brush is moved with the keys here
        tabIndex={0}
        data-tool={brush.tool}
        onKeyDown={press}
        onKeyUp={(event) => event.key === ' ' && lift()}
        onBlur={lift}
        className="relative h-[max(240px,calc(100dvh-330px))] w-full cursor-crosshair touch-none select-none overflow-hidden rounded-m border border-hairline bg-sunken outline-none focus-visible:outline-2 focus-visible:outline-cobalt data-[tool=move]:cursor-grab max-sm:h-[max(220px,calc(100dvh-430px))]"
      />
      <p id={hint} hidden>
        {t('keys')}
      </p>
    </>
  )
}

/** The accent colour of the theme. */
function accentColor(element: Element): Color {
  const hex = getComputedStyle(element).getPropertyValue('--cobalt').trim()
  const [red = 47, green = 87, blue = 224] = (hex.match(/[0-9a-f]{2}/gi) ?? []).map((part) =>
    Number.parseInt(part, 16),
  )
  return [red, green, blue]
}
