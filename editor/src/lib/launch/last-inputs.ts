/** What the last launch of each agent used, kept in this browser. */

import { lasting } from '../storage'
import { type Field, mediaFields, promptField } from './fields'
import type { Inputs } from './inputs'

const KEY = 'impasto.launch'
const AGENTS_KEPT = 50

function kept(): Record<string, Inputs> {
  return lasting.read<Record<string, Inputs>>(KEY) ?? {}
}

export function recallInputs(flowId: string): Inputs {
  return kept()[flowId] ?? {}
}

/** Keeps everything but the prompt and the media: those are new each time. */
export function rememberInputs(flowId: string, fields: readonly Field[], inputs: Inputs): void {
  const fresh = new Set([promptField(fields)?.id, ...mediaFields(fields).map((field) => field.id)])
  const lasts = Object.fromEntries(Object.entries(inputs).filter(([id]) => !fresh.has(id)))
  const { [flowId]: _, ...others } = kept()
  const recent = Object.entries(others).slice(1 - AGENTS_KEPT)
  lasting.write(KEY, Object.fromEntries([...recent, [flowId, lasts]]))
}
