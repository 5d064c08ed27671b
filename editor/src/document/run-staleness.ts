import { type FlowDocument, sameContent } from '@/graph/document'
import { parseDocument } from '@/graph/parse'
import type { OpenRun } from './runner'

/** Whether a run used the current nodes, settings and edges. Positions are ignored. */
export function isRunCurrent(run: OpenRun, document: FlowDocument): boolean {
  if (run.flow === undefined) return true
  return sameContent(meaningOf(parseDocument(run.flow)), meaningOf(document))
}

function meaningOf({ format, nodes, edges }: FlowDocument): FlowDocument {
  const bare = nodes.map(({ id, type, version, settings, mode, pin }) => ({
    id,
    type,
    version,
    settings,
    ...(mode && { mode }),
    ...(pin && { pin }),
    position: ORIGIN,
  }))
  return { format, name: '', nodes: bare.toSorted((a, b) => (a.id < b.id ? -1 : 1)), edges }
}

const ORIGIN = { x: 0, y: 0 }
