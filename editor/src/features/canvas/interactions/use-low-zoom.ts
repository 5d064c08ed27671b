import { useUpdateNodeInternals } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { useDocument, useSession, useView } from '@/document/use-session'

/** Below this zoom a card's words cannot be read: it is drawn without them. */
export const LOW_ZOOM = 0.36

export function useLowZoom(): boolean {
  return useView((view) => view.zoom < LOW_ZOOM)
}

/** So many cards that their faces, seen from afar, would cost more than they tell. */
const MIN_OVERVIEW_NODES = 150

/** Whether the flow is drawn as a map: a block a card and a thread an edge. */
export function useOverview(): boolean {
  const crowd = useDocument((flow) => flow.nodes.length > MIN_OVERVIEW_NODES)
  return useView((view) => crowd && view.zoom < LOW_ZOOM)
}

/** A block has no ports: those of the cards that take its place are measured anew. */
export function useMeasuredPorts(map: boolean) {
  const session = useSession()
  const measure = useUpdateNodeInternals()
  const was = useRef(map)
  useEffect(() => {
    if (was.current && !map) measure(session.document.nodes.map((node) => node.id))
    was.current = map
  }, [map, measure, session])
}
