import type { FlowDocument } from '@/graph/document'
import { parseDocument } from '@/graph/parse'

/** Work that the server does not have yet, kept in this browser until it does. */
export interface UnsavedWork {
  readonly document: FlowDocument
  /** What the person began with, so that a merge can tell whose change is whose. */
  readonly start: FlowDocument
  readonly revision: number
  /** Epoch milliseconds. */
  readonly at: number
}

export interface RecoveryStore {
  save(flowId: string, work: UnsavedWork): void
  /** This tab's own work, or else the newest that a tab left behind which is gone now. */
  find(flowId: string): Promise<UnsavedWork | null>
  clear(flowId: string): void
}

/** The open tabs: each has a name of its own, so that none takes or clears away what another one still holds. */
export interface Tabs {
  readonly own: string
  isOpen(tab: string): Promise<boolean>
}

const PREFIX = 'impasto.recovery.'

/** Keeps work in the browser's own storage; when that is full, the oldest work of other agents gives way. */
export function createRecoveryStore(storage: Storage, tabs: Tabs): RecoveryStore {
  const keyOf = (flowId: string) => `${PREFIX}${flowId}.${tabs.own}`
  const keep = (flowId: string, work: UnsavedWork) => {
    const text = JSON.stringify(work)
    while (!put(storage, keyOf(flowId), text)) {
      const oldest = oldestKey(storage, PREFIX + flowId)
      if (!oldest) return
      storage.removeItem(oldest)
    }
  }
  return {
    save: keep,
    async find(flowId) {
      const own = read(storage.getItem(keyOf(flowId)))
      if (own) return own
      const left = await newestOrphanKey(storage, `${PREFIX}${flowId}`, tabs)
      const work = left && read(storage.getItem(left))
      if (!work) return null
      keep(flowId, work)
      storage.removeItem(left)
      return work
    },
    clear(flowId) {
      storage.removeItem(keyOf(flowId))
    },
  }
}

/** The newest entry whose tab is gone. */
async function newestOrphanKey(storage: Storage, prefix: string, tabs: Tabs): Promise<string | null> {
  const keys = Object.keys(storage)
    .filter((key) => key.startsWith(prefix) && read(storage.getItem(key)))
    .sort((one, other) => age(storage, other) - age(storage, one))
  for (const key of keys) if (!(await tabs.isOpen(key.slice(prefix.length + 1)))) return key
  return null
}

function put(storage: Storage, key: string, text: string): boolean {
  try {
    storage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

function oldestKey(storage: Storage, except: string): string | undefined {
  return Object.keys(storage)
    .filter((key) => key.startsWith(PREFIX) && !key.startsWith(except))
    .sort((one, other) => age(storage, one) - age(storage, other))[0]
}

function age(storage: Storage, key: string): number {
  return read(storage.getItem(key))?.at ?? 0
}

function read(text: string | null): UnsavedWork | null {
  try {
    const data = JSON.parse(text ?? 'null') as UnsavedWork | null
    if (!data) return null
    return { ...data, document: parseDocument(data.document), start: parseDocument(data.start) }
  } catch {
    return null
  }
}
