import { type FlowDocument, sameContent } from '@/graph/document'
import { parseDocument } from '@/graph/parse'
import { sessionStore } from '@/lib/storage'
import type { FlowStore } from './flow-store'

const KEY = 'impasto.undo'
/** Per agent: the newest steps that fit are kept, as JSON. */
const MAX_CHARACTERS = 1_000_000
/** Of all agents, as JSON: a browser gives a tab some five million characters. */
const MAX_TOTAL_CHARACTERS = 2_500_000
const MAX_AGENTS = 8

interface KeptSteps {
  readonly flowId: string
  /** The document that the steps lead away from. */
  readonly current: FlowDocument
  /** Oldest first, as the undo history has them. */
  readonly past: readonly FlowDocument[]
  readonly future: readonly FlowDocument[]
}

/**
 * Stores the undo history of an agent in this tab, for a reload of the page or a return to the agent. Those of the
 * agents that were stored longest ago are removed to make room.
 */
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
  const others = readKept().filter((one) => one.flowId !== flowId)
  const histories = newestThatFit([...others, kept], MAX_TOTAL_CHARACTERS).slice(-MAX_AGENTS)
  while (histories.length > 0 && !sessionStore.write(KEY, histories)) histories.shift()
}

/** Restores the stored history if it belongs to the open document as it is now; returns whether it did. */
export function restoreUndoSteps(flowId: string, flow: FlowStore): boolean {
  const kept = readKept().find((one) => one.flowId === flowId)
  if (!kept) return false
  try {
    if (!sameContent(parseDocument(kept.current), flow.document)) return false
    flow.restoreSteps({ past: kept.past.map(parseDocument), future: kept.future.map(parseDocument) })
    return true
  } catch {
    return false
  }
}

/** The stored histories, the one stored last at the end. If the storage is damaged, their other fields may be missing. */
function readKept(): KeptSteps[] {
  const stored = sessionStore.read<(KeptSteps | null)[]>(KEY)
  return Array.isArray(stored)
    ? stored.filter((one): one is KeptSteps => typeof one?.flowId === 'string')
    : []
}

/** As many values from the end of a list as fit into this many characters of JSON. */
function newestThatFit<Value>(values: readonly Value[], characters: number): Value[] {
  const kept: Value[] = []
  let left = characters
  for (const value of values.toReversed()) {
    left -= JSON.stringify(value).length
    if (left < 0) break
    kept.unshift(value)
  }
  return kept
}
