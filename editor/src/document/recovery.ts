import type { FlowDocument } from '@/graph/document'
import { parseDocument } from '@/graph/parse'

/** Unsaved work, stored in this browser until the server has it. */
export interface UnsavedWork {
  readonly document: FlowDocument
  /** The document before the edits, so that a merge can attribute each change to a side. */
  readonly start: FlowDocument
  /** What was on its way to the server, which may have it. */
  readonly sent?: FlowDocument | null
  readonly revision: number
  /** Epoch milliseconds. */
  readonly at: number
}

export interface RecoveryStore {
  save(flowId: string, work: UnsavedWork): void
  /** The work of this tab, or else the newest work of a tab that is closed. */
  find(flowId: string): Promise<UnsavedWork | null>
  clear(flowId: string): void
}

/** Identifies open tabs, so that no tab takes or removes the work of another open tab. */
export interface Tabs {
  readonly own: string
  isOpen(tab: string): Promise<boolean>
}

const PREFIX = 'impasto.recovery.'

/** Stores unsaved work in local storage; when that is full, removes the oldest work of other agents. */
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

/** The newest entry whose tab is closed. */
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
    const sent = data.sent ? parseDocument(data.sent) : null
    return { ...data, document: parseDocument(data.document), start: parseDocument(data.start), sent }
  } catch {
    return null
  }
}
