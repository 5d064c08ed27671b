import { localStore } from '../storage'

const KEY = 'impasto.budget.'

/** The most that a run of an agent may spend, as it was typed the last time in this browser; empty for no limit. */
export function readBudget(flowId: string): string {
  const kept = localStore.read<unknown>(KEY + flowId)
  return typeof kept === 'string' ? kept : ''
}

export function saveBudget(flowId: string, budget: string): void {
  localStore.write(KEY + flowId, budget.trim() || null)
}
