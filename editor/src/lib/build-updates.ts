import { sessionStore } from './storage'
import { hasUnsavedWork } from './unsaved-work'

/** Sent on `window` when a newer build has taken this one's place; `detail` is its id. */
export const BUILD_UPDATE = 'impasto:build-update'

const RELOADED_KEY = 'impasto.reloaded-for'
const CHECK_INTERVAL_MS = 5 * 60_000

function ownBuild(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? ''
}

/** Asks the server which build it serves now, and tells the page when that is another than this one. */
export async function checkForUpdate(): Promise<void> {
  const own = ownBuild()
  if (!own || document.visibilityState === 'hidden') return
  const answer = await fetch('/build.json', { cache: 'no-store' }).catch(() => null)
  if (!answer?.ok) return
  const { id } = (await answer.json().catch(() => ({}))) as { id?: string }
  if (id && id !== own) announceUpdate(id)
}

export function announceUpdate(id: string): void {
  window.dispatchEvent(new CustomEvent(BUILD_UPDATE, { detail: id }))
}

type UpdateHandling = {
  /** Work would be lost: offer the reload instead of making it. */
  onBlocked: () => void
  reload?: () => void
}

/**
 * Reloads the page on an update notice: once for each build, so a page that stays old cannot loop, and never
 * over unsaved work.
 */
export function reloadOnUpdate({
  onBlocked,
  reload = () => window.location.reload(),
}: UpdateHandling): () => void {
  const heed = (event: Event) => {
    const id = String((event as CustomEvent).detail ?? '')
    if (sessionStore.read(RELOADED_KEY) === id) return
    if (hasUnsavedWork()) return onBlocked()
    sessionStore.write(RELOADED_KEY, id)
    reload()
  }
  window.addEventListener(BUILD_UPDATE, heed)
  return () => window.removeEventListener(BUILD_UPDATE, heed)
}

/** Looks for a newer build now and then, and whenever the page comes back into sight. Returns the way to stop. */
export function watchForUpdates(): () => void {
  const look = () => void checkForUpdate()
  const timer = window.setInterval(look, CHECK_INTERVAL_MS)
  document.addEventListener('visibilitychange', look)
  // A script that is missing may be of a build that is gone; without a connection it is no reason to leave the page.
  window.addEventListener('vite:preloadError', look)
  return () => {
    window.clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('vite:preloadError', look)
  }
}
