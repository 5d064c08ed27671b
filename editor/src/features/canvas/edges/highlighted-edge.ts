import { create } from 'zustand'

interface HighlightedEdge {
  /** The edge under the pointer. */
  readonly pointed: string | null
  /** The edge that would take in the card being dragged. */
  readonly receiving: string | null
}

/** The one edge that draws attention; kept apart, so that pointing redraws two edges and nothing else. */
export const useHighlightedEdge = create<HighlightedEdge>(() => ({ pointed: null, receiving: null }))

export function useHighlight(id: string): 'pointed' | 'receiving' | null {
  return useHighlightedEdge((state) => {
    if (state.receiving === id) return 'receiving'
    return state.pointed === id ? 'pointed' : null
  })
}
