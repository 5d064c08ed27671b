import { type FlowDocument, sameContent } from '@/graph/document'
import { parseDocument } from '@/graph/parse'
import { sessionStore } from '@/lib/storage'
import type { FlowStore } from './flow-store'

const KEY = 'impasto.undo'
/** The newest steps that fit are kept, as JSON: a browser gives a tab some five million characters. */
const MAX_CHARACTERS = 1_000_000

interface KeptSteps {
  readonly flowId: string
  /** The document that the steps lead away from. */
  readonly current: FlowDocument
  /** Oldest first, as the undo history has them. */
  readonly past: readonly FlowDocument[]
  readonly future: readonly FlowDocument[]
}

/** Stores the undo history of an agent in this tab, for a reload of the page. Replaces that of another agent. */
export function keepUndoSteps(flowId: string, flow: FlowStore): void {
  const { past, future } = flow.steps()
  if (past.length + future.length === 0) return
  const half = MAX_CHARACTERS / 2
  const kept: KeptSteps = {
    flowId,
    current: flow.document,
    past: newestThatFit(past, half),
    future: newestThatFit(future, half),
  }
  sessionStore.write(KEY, kept)
}

/** Restores the stored history if it belongs to the open document as it is now; returns whether it did. */
export function restoreUndoSteps(flowId: string, flow: FlowStore): boolean {
  const kept = sessionStore.read<KeptSteps>(KEY)
  if (kept?.flowId !== flowId) return false
  try {
    if (!sameContent(parseDocument(kept.current), flow.document)) return false
    flow.restoreSteps({ past: kept.past.map(parseDocument), future: kept.future.map(parseDocument) })
    return true
  } catch {
    return false
  }
}

/** The last documents of a list: the steps that are undone or redone next. */
function newestThatFit(documents: readonly FlowDocument[], characters: number): FlowDocument[] {
  const kept: FlowDocument[] = []
  let left = characters
  for (const document of documents.toReversed()) {
    left -= JSON.stringify(document).length
    if (left < 0) break
    kept.unshift(document)
  }
  return kept
}
