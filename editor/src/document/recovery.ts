import type { FlowDocument } from '@/graph/document'
import { parseDocument } from '@/graph/parse'

/** Work that the server does not have yet, kept in this browser until it does. */
export interface Recovered {
  readonly document: FlowDocument
  /** What the person began with, so that a merge can tell whose change is whose. */
  readonly start: FlowDocument
  readonly revision: number
  /** Epoch milliseconds. */
  readonly at: number
}

export interface Shelf {
  keep(flowId: string, work: Recovered): void
  find(flowId: string): Recovered | null
  forget(flowId: string): void
}

const PREFIX = 'impasto.recovery.'

/** Keeps work in the browser's own storage; when that is full, the oldest work of other agents gives way. */
export function createShelf(storage: Storage): Shelf {
  return {
    keep(flowId, work) {
      const text = JSON.stringify(work)
      while (!put(storage, PREFIX + flowId, text)) {
        const oldest = oldestKey(storage, PREFIX + flowId)
        if (!oldest) return
        storage.removeItem(oldest)
      }
    },
    find(flowId) {
      return read(storage.getItem(PREFIX + flowId))
    },
    forget(flowId) {
      storage.removeItem(PREFIX + flowId)
    },
  }
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
    .filter((key) => key.startsWith(PREFIX) && key !== except)
    .sort((one, other) => age(storage, one) - age(storage, other))[0]
}

function age(storage: Storage, key: string): number {
  return read(storage.getItem(key))?.at ?? 0
}

function read(text: string | null): Recovered | null {
  try {
    const data = JSON.parse(text ?? 'null') as Recovered | null
    if (!data) return null
    return { ...data, document: parseDocument(data.document), start: parseDocument(data.start) }
  } catch {
    return null
  }
}
