import { sessionStore } from './storage'
import { hasUnsavedWork } from './unsaved-work'

/** Sent on `window` when the server has a newer build; `detail` is its id. */
export const BUILD_UPDATE = 'impasto:build-update'

const RELOADED_KEY = 'impasto.reloaded-for'
const CHECK_INTERVAL_MS = 5 * 60_000

function ownBuild(): string {
  return document.querySelector<HTMLMetaElement>('meta[name=build]')?.content ?? ''
}

/** Asks the server for its current build, and sends the event if it differs from this one. */
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
  /** A reload would lose work: offer it instead. */
  onBlocked: () => void
  reload?: () => void
}

/**
 * Reloads the page for a new build: once per build, so that a stale page cannot loop, and never while work is
 * unsaved.
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

/** Checks for a newer build at intervals and when the page becomes visible. Returns a function that stops it. */
export function watchForUpdates(): () => void {
  const look = () => void checkForUpdate()
  const timer = window.setInterval(look, CHECK_INTERVAL_MS)
  document.addEventListener('visibilitychange', look)
  // A missing script may belong to a replaced build; while offline, it is no reason to reload.
  window.addEventListener('vite:preloadError', look)
  return () => {
    window.clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('vite:preloadError', look)
  }
}
