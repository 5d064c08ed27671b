import type { FlowDocument } from '@/graph/document'

export interface Problem {
  readonly code: string
  readonly message: string
  readonly node?: string | null
  readonly port?: string | null
  readonly setting?: string | null
  readonly hint?: string | null
  readonly severity: 'error' | 'warning'
}

export interface Estimate {
  readonly usd: string | number | null
  readonly seconds: number | null
}

/** By step id; an agent's inner steps are told as `node/inner`. */
export type StepEstimates = Readonly<Record<string, Estimate>>

export interface Checked {
  readonly problems: readonly Problem[]
  readonly inputs: Readonly<Record<string, unknown>>
  readonly results: readonly { readonly node: string; readonly port: string }[]
  readonly estimate: Estimate | null
  readonly steps: StepEstimates
}

export interface Draft {
  readonly document: FlowDocument
  readonly revision: number
}

export interface SaveOptions {
  /** The person pressed Save: the history gets a row of its own. */
  readonly keep?: boolean
  /** The page is going away: the request must outlive it. */
  readonly leaving?: boolean
}

/** What the open document asks of the server. */
export interface FlowBackend {
  load(): Promise<Draft>
  save(draft: Draft, options: SaveOptions): Promise<{ revision: number; savedAt: number }>
  check(document: FlowDocument, signal: AbortSignal): Promise<Checked>
}

/** Thrown by `save` when somebody else (or another tab) saved meanwhile. */
export class StaleRevisionError extends Error {
  constructor() {
    super('This agent was changed elsewhere since you opened it.')
    this.name = 'StaleRevision'
  }
}

/** Thrown by `save` when the server could not be reached at all. */
export class ServerUnreachableError extends Error {
  constructor() {
    super('The server cannot be reached. Your work is kept in this browser.')
    this.name = 'Unreachable'
  }
}
