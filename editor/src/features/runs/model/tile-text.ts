/** Texts of the results page. */

export const LOADING = ['looking', 'magic', 'touch', 'generating'] as const
export type LoadingMessage = (typeof LOADING)[number]

export const LOADING_TURN_SECONDS = 4

/** Rotates the loading messages. All tiles start with the first; then each continues from its `offset`. */
export function loadingMessage(elapsed: number, offset = 0): LoadingMessage {
  const turn = Math.floor(Math.max(0, elapsed) / LOADING_TURN_SECONDS)
  return turn === 0 ? 'looking' : (LOADING[(turn + offset) % LOADING.length] ?? 'looking')
}

export interface Caption {
  body: string
  hashtags: string[]
}

const TAGS_AT_END = /(?:^|\s)((?:#[\p{L}\p{M}\p{N}_]+[\s,]*)+)$/u

/** Splits a caption from its closing hashtags. */
export function splitHashtags(text: string): Caption {
  const found = TAGS_AT_END.exec(text.trimEnd())
  if (!found) return { body: text, hashtags: [] }
  const hashtags = found[1]?.match(/#[\p{L}\p{M}\p{N}_]+/gu) ?? []
  return { body: text.slice(0, found.index).trimEnd(), hashtags: [...new Set(hashtags)] }
}
