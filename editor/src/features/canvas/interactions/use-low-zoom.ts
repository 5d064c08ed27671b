import { useView } from '@/document/use-session'

/** Below this zoom a card's words cannot be read: it is drawn without them. */
export const FAR = 0.36

export function useFar(): boolean {
  return useView((view) => view.zoom < FAR)
}
