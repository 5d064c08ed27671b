import { useDocument, useView } from '@/document/use-session'
import type { FlowDocument } from '@/graph/document'

/** Below this zoom the text of a card is unreadable and is not drawn. */
export const LOW_ZOOM = 0.36

export function useLowZoom(): boolean {
  return useView((view) => view.zoom < LOW_ZOOM)
}

/** Number of nodes from which the overview replaces cards at low zoom, for speed. */
const MIN_OVERVIEW_NODES = 150

/** Whether the flow has so many nodes that drawing all cards in sight can take longer than a frame. */
export function isCrowded({ nodes }: FlowDocument): boolean {
  return nodes.length > MIN_OVERVIEW_NODES
}

export function useIsCrowded(): boolean {
  return useDocument(isCrowded)
}

/** Whether the flow is drawn as an overview: a block per card and a line per edge. */
export function useOverview(): boolean {
  const isCrowded = useIsCrowded()
  return useView((view) => isCrowded && view.zoom < LOW_ZOOM)
}
