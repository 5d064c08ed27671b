import { useEffect } from 'react'
import { localStore, sessionStore } from '../storage'

export type HomeDraft = { prompt: string; images: string[]; agent: string | null }

const HOME_DRAFT_KEY = 'impasto.home'
const EMPTY_DRAFT: HomeDraft = { prompt: '', images: [], agent: null }

export function readHomeDraft(): HomeDraft {
  return { ...EMPTY_DRAFT, ...sessionStore.read<Partial<HomeDraft>>(HOME_DRAFT_KEY) }
}

export function saveHomeDraft(draft: HomeDraft): void {
  sessionStore.write(HOME_DRAFT_KEY, draft)
}

/** Clears prompt and images after a launch; the agent stays selected. */
export function clearHomeDraft(): void {
  saveHomeDraft({ ...EMPTY_DRAFT, agent: readHomeDraft().agent })
}

/** Stores the typed text and added images, so that a reload of this tab restores them. */
export function useSavedDraft(draft: HomeDraft, enabled: boolean): void {
  const { prompt, agent } = draft
  const images = draft.images.join()
  useEffect(() => {
    if (enabled) saveHomeDraft({ prompt, agent, images: images ? images.split(',') : [] })
  }, [prompt, agent, images, enabled])
}

const BUDGET_KEY = 'impasto.budget.'

/** The budget of an agent's runs, as last typed in this browser; empty for no limit. */
export function readBudget(flowId: string): string {
  const kept = localStore.read<unknown>(BUDGET_KEY + flowId)
  return typeof kept === 'string' ? kept : ''
}

export function saveBudget(flowId: string, budget: string): void {
  localStore.write(BUDGET_KEY + flowId, budget.trim() || null)
}
