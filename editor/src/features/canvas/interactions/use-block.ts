import { useEffect, useState } from 'react'
import { useSession } from '@/document/use-session'
import { useIsCrowded, useOverview } from './use-low-zoom'

/** Cards that are drawn in a frame while the canvas moves. */
const CARDS_A_FRAME = 2

/**
 * Whether to draw a card as a block: in the overview, and in a crowded flow while the canvas moves until the card's turn.
 * All cards that come into sight at a step of a zoom would take several frames.
 */
export function useIsBlock(): boolean {
  const { view } = useSession()
  const isOverview = useOverview()
  const isCrowded = useIsCrowded()
  const [isDrawn, setDrawn] = useState(() => !(isCrowded && view.getState().isMoving))
  if (isOverview && isDrawn) setDrawn(false)
  useEffect(() => {
    if (isOverview || isDrawn) return undefined
    const draw = () => setDrawn(true)
    return isCrowded && view.getState().isMoving ? turns.wait(draw) : draw()
  }, [isOverview, isDrawn, isCrowded, view])
  return isOverview || !isDrawn
}

/** Calls what waits, a few in each frame, in the order in which they came. */
export function createTurns(atOnce: number, nextFrame: (work: () => void) => void) {
  const waiting = new Set<() => void>()
  let isAsked = false
  const call = () => {
    isAsked = false
    for (const turn of [...waiting].slice(0, atOnce)) {
      waiting.delete(turn)
      turn()
    }
    ask()
  }
  const ask = () => {
    if (isAsked || waiting.size === 0) return
    isAsked = true
    nextFrame(call)
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

const turns = createTurns(CARDS_A_FRAME, (work) => requestAnimationFrame(work))
