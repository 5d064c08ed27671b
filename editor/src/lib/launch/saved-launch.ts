import { useEffect } from 'react'
import { getSession } from '../api/session'
import { localStore, sessionStore } from '../storage'
import { brandField } from './brands'
import { type Field, mediaFields, promptField } from './fields'
import type { Inputs } from './inputs'

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

/** The inputs of each agent as the user last set them in this browser; each user of it has their own. */

const LAST_INPUTS_KEY = 'impasto.launch'
const MAX_AGENTS = 50

function readAll(): Record<string, Inputs> {
  return localStore.read<Record<string, Inputs>>(LAST_INPUTS_KEY) ?? {}
}

function keyOf(flowId: string): string {
  return `${getSession()?.subject ?? ''} ${flowId}`
}

export function readLastInputs(flowId: string): Inputs {
  return readAll()[keyOf(flowId)] ?? {}
}

/** Stores one input as soon as it is set, so that it outlasts a reload. */
export function saveLastInput(flowId: string, field: Field, value: unknown): void {
  write(flowId, { ...readLastInputs(flowId), [field.id]: value })
}

/** The agent's own values apply again. */
export function forgetLastInputs(flowId: string): void {
  write(flowId, {})
}

function write(flowId: string, inputs: Inputs): void {
  const { [keyOf(flowId)]: _, ...others } = readAll()
  const recent = Object.entries(others).slice(1 - MAX_AGENTS)
  localStore.write(LAST_INPUTS_KEY, Object.fromEntries([...recent, [keyOf(flowId), inputs]]))
}

/** Stores everything except prompt and media, which are new in each launch, and the brand, which all agents share. */
export function saveLastInputs(flowId: string, fields: readonly Field[], inputs: Inputs): void {
  const fresh = new Set([
    promptField(fields)?.id,
    brandField(fields)?.id,
    ...mediaFields(fields).map((field) => field.id),
  ])
  const reusable = Object.fromEntries(Object.entries(inputs).filter(([id]) => !fresh.has(id)))
  write(flowId, reusable)
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
