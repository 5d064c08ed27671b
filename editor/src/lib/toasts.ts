import { create } from 'zustand'
import { messageOf } from './api/error'

export const TOAST_LIMIT = 1
export const TOAST_DURATION = 5000
export const TOAST_SWIPE_THRESHOLD = 50
export const TOAST_REMOVE_DELAY = 1_000_000

export type Toast = {
  id: number
  title: string
  description?: string | undefined
  tone: 'plain' | 'success' | 'error'
  duration: number
  open: boolean
  action?: { label: string; onPress: () => void } | undefined
  /** Called once when the toast closes or another one takes its place. Pointing at it or focusing it keeps it open. */
  onClose?: (() => void) | undefined
}

export const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }))

let last = 0
const removals = new Map<number, ReturnType<typeof setTimeout>>()

/** Shows a toast. The newest replaces the current one. */
export function toast(notice: Partial<Omit<Toast, 'id' | 'open'>> & { title: string }): number {
  last += 1
  const shown: Toast = { tone: 'plain', duration: TOAST_DURATION, ...notice, id: last, open: true }
  const all = [shown, ...useToasts.getState().toasts]
  useToasts.setState({ toasts: all.slice(0, TOAST_LIMIT) })
  for (const replaced of all.slice(TOAST_LIMIT)) if (replaced.open) replaced.onClose?.()
  return shown.id
}

export function toastSuccess(title: string, description?: string): number {
  return toast({ title, description, tone: 'success' })
}

/** Shows an error toast: `title` says what failed, the error says why, unless both are the same sentence. */
export function toastError(title: string, error?: unknown): number {
  const why = error === undefined ? undefined : messageOf(error)
  return toast({ title, description: why === title ? undefined : why, tone: 'error' })
}

/** Takes a toast's action away, when it would no longer do what the toast says. */
export function endToastAction(id: number): void {
  useToasts.setState(({ toasts }) => ({
    toasts: toasts.map((one) => (one.id === id ? { ...one, action: undefined } : one)),
  }))
}

/** Closes a toast; it is removed later, so that its exit animation is visible and its id is not reused. */
export function dismissToast(id: number): void {
  const closed = useToasts.getState().toasts.find((one) => one.id === id && one.open)
  useToasts.setState(({ toasts }) => ({
    toasts: toasts.map((one) => (one.id === id ? { ...one, open: false } : one)),
  }))
  clearTimeout(removals.get(id))
  removals.set(
    id,
    setTimeout(() => {
      removals.delete(id)
      useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }))
    }, TOAST_REMOVE_DELAY),
  )
  closed?.onClose?.()
}
