import { useEffect } from 'react'
import { sessionStore } from '../storage'

export type HomeDraft = { prompt: string; images: string[]; agent: string | null }

const KEY = 'impasto.home'
const EMPTY_DRAFT: HomeDraft = { prompt: '', images: [], agent: null }

export function readHomeDraft(): HomeDraft {
  return { ...EMPTY_DRAFT, ...sessionStore.read<Partial<HomeDraft>>(KEY) }
}

export function saveHomeDraft(draft: HomeDraft): void {
  sessionStore.write(KEY, draft)
}

/** A launch has taken the prompt and the images along; the agent stays chosen. */
export function clearHomeDraft(): void {
  saveHomeDraft({ ...EMPTY_DRAFT, agent: readHomeDraft().agent })
}

/** Keeps what was typed and added, so that a reload of this tab loses nothing. */
export function useSavedDraft(draft: HomeDraft, kept: boolean): void {
  const { prompt, agent } = draft
  const images = draft.images.join()
  useEffect(() => {
    if (kept) saveHomeDraft({ prompt, agent, images: images ? images.split(',') : [] })
  }, [prompt, agent, images, kept])
}
