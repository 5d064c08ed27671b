import { useView } from '@/document/use-session'

/** Below this zoom a card's words cannot be read: it is drawn without them. */
export const LOW_ZOOM = 0.36

export function useLowZoom(): boolean {
  return useView((view) => view.zoom < LOW_ZOOM)
}
