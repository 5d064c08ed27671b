import type { Size } from './raster'

/** Where the image is on the screen: a point of it is at `point * zoom + offset`. */
export type View = { readonly zoom: number; readonly x: number; readonly y: number }

const MAX_WORKING_SIDE = 2048
const MARGIN = 16
/** How many times smaller or larger than fitting an image can be shown. */
const ZOOM_OUT = 4
const ZOOM_IN = 16
/** A pixel of the image can be shown at least this large. */
const MIN_PIXEL = 8

/** The whole image in the middle of the screen. */
export function fitView(image: Size, screen: Size): View {
  const zoom = fitZoom(image, screen)
  return {
    zoom,
    x: (screen.width - image.width * zoom) / 2,
    y: (screen.height - image.height * zoom) / 2,
  }
}

function fitZoom(image: Size, screen: Size): number {
  const room = { width: screen.width - 2 * MARGIN, height: screen.height - 2 * MARGIN }
  return Math.max(0.001, Math.min(room.width / image.width, room.height / image.height))
}

/** Zooms around a point of the screen, within limits. */
export function zoomAt(view: View, factor: number, at: Point, image: Size, screen: Size): View {
  const fit = fitZoom(image, screen)
  const most = Math.max(fit * ZOOM_IN, MIN_PIXEL)
  const zoom = Math.min(most, Math.max(fit / ZOOM_OUT, view.zoom * factor))
  const grown = zoom / view.zoom
  return panned({ zoom, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown }, image, screen)
}

export type Point = { readonly x: number; readonly y: number }

export function panBy(view: View, by: Point, image: Size, screen: Size): View {
  return panned({ ...view, x: view.x + by.x, y: view.y + by.y }, image, screen)
}

/** Moves the view as little as shows a point of the image. */
export function reveal(view: View, point: Point, image: Size, screen: Size): View {
  const at = toScreen(view, point)
  const into = (value: number, room: number) => Math.min(room - MARGIN, Math.max(MARGIN, value)) - value
  return panBy(view, { x: into(at.x, screen.width), y: into(at.y, screen.height) }, image, screen)
}

/** Keeps a part of the image in sight. */
function panned(view: View, image: Size, screen: Size): View {
  const within = (offset: number, length: number, room: number) =>
    Math.min(room - MARGIN, Math.max(MARGIN - length * view.zoom, offset))
  return {
    zoom: view.zoom,
    x: within(view.x, image.width, screen.width),
    y: within(view.y, image.height, screen.height),
  }
}

export function toImage({ zoom, x, y }: View, point: Point): Point {
  return { x: (point.x - x) / zoom, y: (point.y - y) / zoom }
}

export function toScreen({ zoom, x, y }: View, point: Point): Point {
  return { x: point.x * zoom + x, y: point.y * zoom + y }
}

/** The size that an image is painted at; the mask of a larger one is rendered at its full size. */
export function workingSize({ width, height }: Size): Size {
  const scale = Math.min(1, MAX_WORKING_SIDE / Math.max(width, height))
  const scaled = (side: number) => Math.max(1, Math.round(side * scale))
  return { width: scaled(width), height: scaled(height) }
}
