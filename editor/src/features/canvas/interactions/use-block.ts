import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { StoreApi } from 'zustand/vanilla'
import { useSession } from '@/document/use-session'
import type { ViewState } from '@/document/view-store'
import { useIsCrowded, useOverview } from './use-low-zoom'

/** Milliseconds of a frame in which cards are drawn at rest. */
const FRAME_SHARE_MS = 8
/** Milliseconds that must be left of a frame for a card to be drawn in it while the canvas moves. */
const CARD_MS = 5
/** Milliseconds after which a card is drawn though no frame has had time for it. */
const PATIENCE_MS = 600

/**
 * Whether to draw a card as a block: in the overview; in a crowded flow, what comes into sight is a block until its turn
 * while the canvas is panned, and until it is at rest while it is zoomed. A step of a zoom brings more cards into sight
 * than can be drawn in a frame.
 */
export function useIsBlock(): boolean {
  const { view } = useSession()
  const isOverview = useOverview()
  const isCrowded = useIsCrowded()
  const [isDrawn, setDrawn] = useState(() => !(isCrowded && view.getState().isMoving))
  if (isOverview && isDrawn) setDrawn(false)
  useEffect(() => {
    if (isOverview || isDrawn) return undefined
    if (isCrowded && view.getState().isMoving) return waitForTurn(view, () => flushSync(() => setDrawn(true)))
    setDrawn(true)
    return undefined
  }, [isOverview, isDrawn, isCrowded, view])
  return isOverview || !isDrawn
}

type Moves = Pick<ViewState, 'isMoving' | 'isZooming'>

/** Calls the turn when it is its time; returns a function that gives it up. */
export function waitForTurn(view: StoreApi<Moves>, turn: () => void): () => void {
  let queue: Turns | null = null
  let giveUp = () => {}
  const choose = ({ isMoving, isZooming }: Moves) => {
    const next = isZooming ? null : isMoving ? whileIdle : inFrames
    if (next === queue) return
    giveUp()
    queue = next
    giveUp = next?.wait(turn) ?? (() => {})
  }
  choose(view.getState())
  const stop = view.subscribe(choose)
  return () => {
    stop()
    giveUp()
  }
}

/** Calls what waits in the order in which it came, as long as there is time, and at least one each time. */
export function createTurns(nextTime: (work: (hasTime: () => boolean) => void) => void) {
  const waiting = new Set<() => void>()
  let isAsked = false
  const call = (hasTime: () => boolean) => {
    isAsked = false
    for (const turn of waiting) {
      waiting.delete(turn)
      turn()
      if (!hasTime()) break
    }
    ask()
  }
  const ask = () => {
    if (isAsked || waiting.size === 0) return
    isAsked = true
    nextTime(call)
  }
  return {
    /** Returns a function that gives the turn up. */
    wait(turn: () => void): () => void {
      waiting.add(turn)
      ask()
      return () => {
        waiting.delete(turn)
      }
    },
  }
}

type Turns = ReturnType<typeof createTurns>

const inFrames = createTurns(inNextFrame)
const whileIdle = createTurns(typeof requestIdleCallback === 'undefined' ? inNextFrame : whenIdle)

function inNextFrame(work: (hasTime: () => boolean) => void) {
  requestAnimationFrame(() => {
    const start = performance.now()
    work(() => performance.now() - start < FRAME_SHARE_MS)
  })
}

function whenIdle(work: (hasTime: () => boolean) => void) {
  const since = performance.now()
  const ask = () => requestIdleCallback(onIdle, { timeout: PATIENCE_MS })
  const onIdle = (idle: IdleDeadline) => {
    const hasTime = () => idle.timeRemaining() > CARD_MS
    if (hasTime() || performance.now() - since > PATIENCE_MS) work(hasTime)
    else ask()
  }
  ask()
}
