/** Texts of the results page. */

export const LOADING = ['looking', 'magic', 'touch', 'generating'] as const
export type LoadingMessage = (typeof LOADING)[number]

export const LOADING_TURN_SECONDS = 4

/** Rotates the loading messages. All tiles start with the first; then each continues from its `offset`. */
export function loadingMessage(elapsed: number, offset = 0): LoadingMessage {
  const turn = Math.floor(Math.max(0, elapsed) / LOADING_TURN_SECONDS)
  return turn === 0 ? 'looking' : (LOADING[(turn + offset) % LOADING.length] ?? 'looking')
}
