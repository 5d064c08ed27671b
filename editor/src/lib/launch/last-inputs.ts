/** What the last launch of each agent used, kept in this browser. */

import { localStore } from '../storage'
import { type Field, mediaFields, promptField } from './fields'
import type { Inputs } from './inputs'

const KEY = 'impasto.launch'
const MAX_AGENTS = 50

function readAll(): Record<string, Inputs> {
  return localStore.read<Record<string, Inputs>>(KEY) ?? {}
}

export function readLastInputs(flowId: string): Inputs {
  return readAll()[flowId] ?? {}
}

/** Keeps everything but the prompt and the media: those are new each time. */
export function saveLastInputs(flowId: string, fields: readonly Field[], inputs: Inputs): void {
  const fresh = new Set([promptField(fields)?.id, ...mediaFields(fields).map((field) => field.id)])
  const lasts = Object.fromEntries(Object.entries(inputs).filter(([id]) => !fresh.has(id)))
  const { [flowId]: _, ...others } = readAll()
  const recent = Object.entries(others).slice(1 - MAX_AGENTS)
  localStore.write(KEY, Object.fromEntries([...recent, [flowId, lasts]]))
}
