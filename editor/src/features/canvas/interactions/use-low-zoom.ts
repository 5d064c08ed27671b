import { useUpdateNodeInternals } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { useDocument, useSession, useView } from '@/document/use-session'

/** Below this zoom the text of a card is unreadable and is not drawn. */
export const LOW_ZOOM = 0.36

export function useLowZoom(): boolean {
  return useView((view) => view.zoom < LOW_ZOOM)
}

/** Number of nodes from which the overview replaces cards at low zoom, for speed. */
const MIN_OVERVIEW_NODES = 150

/** Whether the flow is drawn as an overview: a block per card and a line per edge. */
export function useOverview(): boolean {
  const crowd = useDocument((flow) => flow.nodes.length > MIN_OVERVIEW_NODES)
  return useView((view) => crowd && view.zoom < LOW_ZOOM)
}

/** Blocks have no ports: the ports of the cards that replace them must be measured again. */
export function useMeasuredPorts(map: boolean) {
  const session = useSession()
  const measure = useUpdateNodeInternals()
  const was = useRef(map)
  useEffect(() => {
    if (was.current && !map) measure(session.document.nodes.map((node) => node.id))
    was.current = map
  }, [map, measure, session])
}
