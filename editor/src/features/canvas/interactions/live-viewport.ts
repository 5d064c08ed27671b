import { type Transform, useStoreApi, type Viewport } from '@xyflow/react'
import { createContext, useContext, useEffect, useMemo } from 'react'
import type { StoreApi } from 'zustand/vanilla'
import { useSession } from '@/document/use-session'
import type { ViewState } from '@/document/view-store'
import { type CanvasNode, extentOfNodes } from './canvas-elements'
import { isCrowded, LOW_ZOOM } from './use-low-zoom'
import { common, contains, visiblePart } from './visible-part'

/** Milliseconds without a move after which the canvas is at rest. After a shorter time it would be between two steps of a wheel. */
export const REST_MS = 300
/** Milliseconds between two updates of React Flow's store while a crowded canvas is panned, and while it is zoomed. */
export const PAN_UPDATE_MS = 100
export const ZOOM_UPDATE_MS = 200

/**
 * The viewport at each moment of a pan or zoom. Every card, port and edge listens to React Flow's store, which takes a
 * third of the time of a frame in a crowded flow. So while the user moves it, the store is updated a few times a second,
 * and only when something else may have come into sight.
 */
export interface LiveViewport {
  /**
   * The viewport, always the same object. Given to React Flow, it keeps it from updating its store itself at each change;
   * React Flow reads it once it can move the canvas.
   */
  readonly held: Readonly<Viewport>
  readonly get: () => Transform
  /** Takes a change by the user or by the program. */
  readonly change: (viewport: Viewport) => void
  /** Takes a move by the user: the canvas moves until there was none for a while. */
  readonly move: () => void
  /** Updates the store now. */
  readonly settle: () => void
  readonly subscribe: (listener: (transform: Transform) => void) => () => void
  /** Puts the canvas to rest. */
  readonly stop: () => void
}

interface Options {
  readonly view: StoreApi<Pick<ViewState, 'isMoving' | 'isZooming' | 'zoom'>>
  /** Updates React Flow's store. */
  readonly update: (transform: Transform) => void
  /** Whether the store has all cards and edges that are to be drawn with this viewport. */
  readonly isCovered: (transform: Transform) => boolean
  readonly isCrowded: () => boolean
}

export function createLiveViewport({ view, update, isCovered, isCrowded }: Options): LiveViewport {
  const listeners = new Set<(transform: Transform) => void>()
  const held: Viewport = { x: 0, y: 0, zoom: 1 }
  let live: Transform = [0, 0, 1]
  let isAhead = false
  let due: ReturnType<typeof setTimeout> | undefined
  let rest: ReturnType<typeof setTimeout> | undefined
  const updateStore = () => {
    clearTimeout(due)
    due = undefined
    if (isAhead) update(live)
    isAhead = false
  }
  const settle = () => {
    updateStore()
    showZoom()
  }
  const follow = () => {
    due = undefined
    if (isCovered(live)) showZoom()
    else settle()
  }
  const showZoom = () => {
    const [, , zoom] = live
    if (view.getState().zoom !== zoom) view.setState({ zoom })
  }
  const putToRest = () => {
    clearTimeout(rest)
    settle()
    const { isMoving } = view.getState()
    if (isMoving) view.setState({ isMoving: false, isZooming: false })
  }
  return {
    held,
    get: () => live,
    change(viewport) {
      const { isMoving, isZooming } = view.getState()
      if (isMoving && !isZooming && viewport.zoom !== held.zoom) view.setState({ isZooming: true })
      Object.assign(held, viewport)
      live = [viewport.x, viewport.y, viewport.zoom]
      isAhead = true
      for (const listener of listeners) listener(live)
      if (isMoving && isCrowded()) due ??= setTimeout(follow, isZooming ? ZOOM_UPDATE_MS : PAN_UPDATE_MS)
      else {
        updateStore()
        // After `move`, which follows in the same task: what a zoom changes at rest must not be changed by its first step.
        queueMicrotask(showZoom)
      }
    },
    move() {
      clearTimeout(rest)
      rest = setTimeout(putToRest, REST_MS)
      if (!view.getState().isMoving) view.setState({ isMoving: true })
    },
    settle,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    stop: putToRest,
  }
}

/** The viewport of the canvas around; React Flow's own store has it in steps while the user moves the canvas. */
export const LiveViewportContext = createContext<LiveViewport | null>(null)

export function useLiveViewport(): LiveViewport {
  const live = useContext(LiveViewportContext)
  if (!live) throw new Error('This component must be rendered inside the canvas.')
  return live
}

/** The viewport of a canvas whose store it updates. */
export function useNewLiveViewport(): LiveViewport {
  const session = useSession()
  const store = useStoreApi()
  const live = useMemo(() => {
    const { view } = session
    return createLiveViewport({
      view,
      update: (transform) => store.setState({ transform }),
      isCovered(transform) {
        const { transform: former, width, height, nodes } = store.getState()
        if (former[2] < LOW_ZOOM !== transform[2] < LOW_ZOOM) return false
        const shown = visiblePart({ transform: former, width, height })
        const seen = visiblePart({ transform, width, height })
        return contains(shown, seen) || contains(shown, common(seen, extentOfNodes(nodes as CanvasNode[])))
      },
      isCrowded: () => isCrowded(session.document),
    })
  }, [session, store])
  useEffect(() => {
    const unsubscribe = live.subscribe(([x, y, zoom]) => {
      const viewport = store.getState().domNode?.querySelector<HTMLElement>('.react-flow__viewport')
      if (viewport) viewport.style.transform = `translate(${x}px,${y}px) scale(${zoom})`
    })
    return () => {
      unsubscribe()
      live.stop()
    }
  }, [live, store])
  return live
}
