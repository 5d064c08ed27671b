import { Konva } from 'konva/lib/Core'
import { Circle } from 'konva/lib/shapes/Circle'
import { Image as KonvaImage } from 'konva/lib/shapes/Image'
import { Rect as Box } from 'konva/lib/shapes/Rect'
import { type Color, Overlay } from './overlay'
import { isFar, type Step, type Stroke } from './painting'
import { Raster, type Rect, type Size } from './raster'
import { fitView, type Point, panBy, reveal, toImage, type View, zoomAt } from './view'

/** An image to paint a mask on. `bitmap` may be smaller than the image itself. */
export type Canvas = {
  readonly bitmap: ImageBitmap
  /** The size of the image itself. */
  readonly size: Size
  /** The size the mask is painted at. */
  readonly working: Size
  /** The mask to start from, at the working size. */
  readonly base: Uint8Array | null
}

export type Brush = {
  readonly tool: Stroke['tool'] | 'move'
  readonly radius: number
  readonly hardness: number
}

type Events = {
  readonly onStroke: (stroke: Stroke) => void
  readonly onZoom: (zoom: number) => void
  /** The mask changed. */
  readonly onMask: (mask: { isEmpty: boolean }) => void
}

/** What the keyboard's brush stands on: its place as parts of the width and height, and whether that is painted. */
export type Place = { readonly x: number; readonly y: number; readonly isPainted: boolean }

const CHECK = 8

/**
 * Shows an image with its mask and paints on it with mouse, pen and fingers; two fingers zoom and pan. Pressure has no
 * effect. Everything that happens between two frames is drawn once.
 */
export class Painter {
  brush: Brush = { tool: 'paint', radius: 32, hardness: 0.8 }
  readonly #stage
  readonly #layers
  readonly #circles
  readonly #raster: Raster
  readonly #overlay: Overlay
  readonly #resizing = new ResizeObserver(() => this.#resize())
  readonly #stop = new AbortController()
  readonly #pointers = new Map<number, Point>()
  #steps: readonly Step[] = []
  #view: View
  #isFitted = true
  #stroke: { brush: Omit<Stroke, 'points' | 'kind'>; points: number[] } | null = null
  #queue: Point[] = []
  #isPanning = false
  #cursor: Point
  #isByKey = false
  #frame = 0
  #isViewStale = true

  constructor(
    readonly container: HTMLDivElement,
    readonly canvas: Canvas,
    color: Color,
    readonly events: Events,
  ) {
    const { size, working, bitmap, base } = canvas
    this.#raster = new Raster(working, working.width / size.width, base)
    this.#overlay = new Overlay(working, color)
    this.#overlay.update(this.#raster.rows.data, { x: 0, y: 0, ...working })
    this.#stage = new Konva.Stage({ container, width: 1, height: 1 })
    const layer = () => new Konva.Layer({ listening: false })
    this.#layers = { image: layer(), mask: layer(), brush: layer() }
    this.#layers.image.add(checkerboard(size), new KonvaImage({ image: bitmap, ...size }))
    this.#layers.mask.add(new KonvaImage({ image: this.#overlay.canvas, ...size }))
    const ring = (stroke: string, strokeWidth: number) =>
      new Circle({ stroke, strokeWidth, strokeScaleEnabled: false, visible: false })
    this.#circles = [ring('#ffffff', 3), ring('#1d1a16', 1.25)] as const
    this.#layers.brush.add(...this.#circles)
    for (const one of Object.values(this.#layers)) this.#stage.add(one)
    this.#cursor = { x: size.width / 2, y: size.height / 2 }
    // The first view tells its zoom, as each other does.
    this.#view = { zoom: 0, x: 0, y: 0 }
    this.#listen()
    this.#resizing.observe(container)
    this.#resize()
  }

  /** Shows the mask that these steps make. */
  show(steps: readonly Step[]): void {
    this.#steps = steps
    if (!this.#raster.show(steps)) return
    this.#overlay.update(this.#raster.rows.data, { x: 0, y: 0, ...this.canvas.working })
    this.#changed()
    this.#request()
  }

  setBrush(brush: Brush): void {
    this.brush = brush
    this.#request()
  }

  /** Zooms around the middle of what is shown. */
  zoom(factor: number): void {
    const { width, height } = this.#screen
    this.#zoomAt(factor, { x: width / 2, y: height / 2 })
  }

  fit(): void {
    this.#setView(fitView(this.canvas.size, this.#screen))
    this.#isFitted = true
  }

  /** Moves the keyboard's brush by pixels of the image; a stroke that it began goes on. */
  moveCursor(by: Point): Place {
    const { width, height } = this.canvas.size
    const inside = (value: number, most: number) => Math.min(most, Math.max(0, value))
    this.#isByKey = true
    this.#cursor = { x: inside(this.#cursor.x + by.x, width), y: inside(this.#cursor.y + by.y, height) }
    if (this.#stroke) this.#queue.push(this.#cursor)
    this.#setView(reveal(this.#view, this.#cursor, this.canvas.size, this.#screen))
    return this.place
  }

  get place(): Place {
    const { size, working } = this.canvas
    const { x, y } = this.#cursor
    const column = Math.min(working.width - 1, Math.floor((x / size.width) * working.width))
    const row = Math.min(working.height - 1, Math.floor((y / size.height) * working.height))
    const value = this.#raster.rows.data[row * working.width + column] ?? 0
    return { x: x / size.width, y: y / size.height, isPainted: value > 127 }
  }

  /** Puts the keyboard's brush down. */
  press(): void {
    if (this.#stroke) return
    this.#isByKey = true
    this.#begin(this.#cursor)
  }

  /** Lifts the brush: what it painted becomes a step. */
  release(): void {
    if (!this.#stroke) return
    this.#paintQueue()
    const { brush, points } = this.#stroke
    const stroke: Stroke = { kind: 'stroke', ...brush, points }
    this.#stroke = null
    this.#steps = [...this.#steps, stroke]
    this.#raster.keep(this.#steps)
    this.#changed()
    this.events.onStroke(stroke)
  }

  destroy(): void {
    this.#stop.abort()
    this.#resizing.disconnect()
    cancelAnimationFrame(this.#frame)
    this.#stage.destroy()
  }

  get isEmpty(): boolean {
    return this.#raster.isEmpty
  }

  get #screen(): Size {
    return {
      width: Math.max(1, this.container.clientWidth),
      height: Math.max(1, this.container.clientHeight),
    }
  }

  #changed(): void {
    this.events.onMask({ isEmpty: this.isEmpty })
  }

  #resize(): void {
    this.#stage.size(this.#screen)
    if (this.#isFitted) this.fit()
    else this.#pan({ x: 0, y: 0 })
  }

  #setView(view: View): void {
    const isZoomed = view.zoom !== this.#view.zoom
    this.#view = view
    this.#isFitted = false
    this.#isViewStale = true
    if (isZoomed) this.events.onZoom(view.zoom)
    this.#request()
  }

  #zoomAt(factor: number, at: Point): void {
    this.#setView(zoomAt(this.#view, factor, at, this.canvas.size, this.#screen))
  }

  #request(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw())
  }

  #draw(): void {
    this.#frame = 0
    this.#paintQueue()
    const { zoom, x, y } = this.#view
    for (const layer of Object.values(this.#layers)) layer.setAttrs({ scaleX: zoom, scaleY: zoom, x, y })
    const radius = Math.max(this.brush.radius, 1 / zoom)
    const isShown = this.brush.tool !== 'move'
    for (const ring of this.#circles) ring.setAttrs({ ...this.#cursor, radius, visible: isShown })
    if (this.#isViewStale) {
      const [back] = this.#layers.image.getChildren()
      back?.setAttrs({ fillPatternScaleX: 1 / zoom, fillPatternScaleY: 1 / zoom })
      this.#layers.image.draw()
    }
    this.#isViewStale = false
    this.#layers.mask.draw()
    this.#layers.brush.draw()
  }

  #begin(at: Point): void {
    const { tool, radius, hardness } = this.brush
    if (tool === 'move') return
    this.#stroke = { brush: { tool, radius, hardness }, points: [] }
    this.#queue = [at]
    this.#request()
  }

  /** Draws what the brush passed since the last frame. */
  #paintQueue(): void {
    const stroke = this.#stroke
    const queue = this.#queue
    this.#queue = []
    if (!stroke || queue.length === 0) return
    let part: Rect | null = null
    for (const { x, y } of queue) {
      const { points, brush } = stroke
      if (!isFar(points, x, y, brush.radius)) continue
      const [fromX = x, fromY = y] = points.slice(-2)
      points.push(x, y)
      part = around(part, this.#raster.drawAhead(brush, fromX, fromY, x, y))
    }
    if (part) this.#overlay.update(this.#raster.rows.data, part)
  }

  /** Forgets the stroke that is being painted. */
  #cancel(): void {
    if (!this.#stroke) return
    this.#stroke = null
    this.#queue = []
    this.show(this.#steps)
  }

  #listen(): void {
    const options = { signal: this.#stop.signal }
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
    ) => this.container.addEventListener(name, listener, options)
    on('pointerdown', (event) => this.#down(event))
    on('pointermove', (event) => this.#move(event))
    on('pointerup', (event) => this.#up(event))
    on('pointercancel', (event) => {
      this.#pointers.delete(event.pointerId)
      this.#cancel()
      this.#isPanning = false
    })
    this.container.addEventListener('wheel', (event) => this.#wheel(event), { ...options, passive: false })
  }

  #at({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const { left, top } = this.container.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }

  #down(event: PointerEvent): void {
    if (event.button > 1) return
    this.container.setPointerCapture(event.pointerId)
    this.#pointers.set(event.pointerId, this.#at(event))
    if (this.#pointers.size > 1) {
      this.#cancel()
      return
    }
    this.#isByKey = false
    this.#isPanning = event.button === 1 || this.brush.tool === 'move'
    if (event.button === 1) event.preventDefault()
    this.#cursor = toImage(this.#view, this.#at(event))
    if (!this.#isPanning) this.#begin(this.#cursor)
  }

  #move(event: PointerEvent): void {
    const at = this.#at(event)
    const before = this.#pointers.get(event.pointerId)
    if (before) this.#pointers.set(event.pointerId, at)
    if (!before || !(this.#isPanning || this.#pointers.size > 1)) this.#follow(event)
    else if (this.#pointers.size > 1) this.#pinch(event.pointerId, before, at)
    else this.#pan({ x: at.x - before.x, y: at.y - before.y })
  }

  #pan(by: Point): void {
    this.#setView(panBy(this.#view, by, this.canvas.size, this.#screen))
  }

  /** Moves the brush along all points that the pointer passed since the last event. */
  #follow(event: PointerEvent): void {
    // A stroke that the keyboard began is not drawn on by a pointer that only passes over it.
    if (this.#isByKey && this.#stroke) return
    const passed = this.#stroke ? (event.getCoalescedEvents?.() ?? []) : []
    for (const one of passed.length > 0 ? passed : [event]) {
      this.#cursor = toImage(this.#view, this.#at(one))
      if (this.#stroke) this.#queue.push(this.#cursor)
    }
    this.#request()
  }

  #pinch(id: number, before: Point, at: Point): void {
    const [other] = [...this.#pointers].filter(([one]) => one !== id).map(([, point]) => point)
    if (!other) return
    const apart = (point: Point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y))
    const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 }
    this.#zoomAt(apart(at) / apart(before), middle)
    this.#pan({ x: (at.x - before.x) / 2, y: (at.y - before.y) / 2 })
  }

  #up(event: PointerEvent): void {
    if (!this.#pointers.delete(event.pointerId)) return
    if (this.#pointers.size > 0) return
    this.#isPanning = false
    this.release()
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) this.#zoomAt(Math.exp(-event.deltaY / 200), this.#at(event))
    else
      this.#setView(panBy(this.#view, { x: -event.deltaX, y: -event.deltaY }, this.canvas.size, this.#screen))
  }
}

function around(one: Rect | null, other: Rect): Rect {
  if (!one) return other
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  }
}

/** Stands behind an image, so that its transparent parts show. */
function checkerboard(size: Size): Box {
  const tile = document.createElement('canvas')
  tile.width = 2 * CHECK
  tile.height = 2 * CHECK
  const context = tile.getContext('2d')
  if (context) {
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, 2 * CHECK, 2 * CHECK)
    context.fillStyle = '#d5d5d5'
    context.fillRect(0, 0, CHECK, CHECK)
    context.fillRect(CHECK, CHECK, CHECK, CHECK)
  }
  return new Box({ ...size, fillPatternImage: tile as unknown as HTMLImageElement })
}
