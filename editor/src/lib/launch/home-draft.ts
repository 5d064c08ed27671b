import { useEffect } from 'react'
import { passing } from '../storage'

export type HomeDraft = { prompt: string; pictures: string[]; agent: string | null }

const KEY = 'impasto.home'
const BLANK: HomeDraft = { prompt: '', pictures: [], agent: null }

export function readHomeDraft(): HomeDraft {
  return { ...BLANK, ...passing.read<Partial<HomeDraft>>(KEY) }
}

export function keepHomeDraft(draft: HomeDraft): void {
  passing.write(KEY, draft)
}

/** A launch has taken the prompt and the pictures along; the agent stays chosen. */
export function forgetHomeDraft(): void {
  keepHomeDraft({ ...BLANK, agent: readHomeDraft().agent })
}

/** Keeps what was typed and added, so that a reload of this tab loses nothing. */
export function useKeptDraft(draft: HomeDraft, kept: boolean): void {
  const { prompt, agent } = draft
  const pictures = draft.pictures.join()
  useEffect(() => {
    if (kept) keepHomeDraft({ prompt, agent, pictures: pictures ? pictures.split(',') : [] })
  }, [prompt, agent, pictures, kept])
}
