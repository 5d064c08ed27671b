import type { FlowDocument } from '@/graph/document'
import type { Notice } from '@/lib/launch/estimate'

export interface Problem {
  readonly code: string
  readonly message: string
  readonly node?: string | null
  readonly port?: string | null
  readonly setting?: string | null
  readonly hint?: string | null
  readonly severity: 'error' | 'warning'
  /** Why the value of a setting does not fit. */
  readonly reason?: Reason | null
}

/** A code with its parameters, and the same as a clause in English for codes that the editor does not know. */
export interface Reason {
  readonly code: string
  readonly text: string
  readonly parameters?: Readonly<Record<string, string | number>>
}

export interface Estimate {
  readonly usd: string | number | null
  readonly seconds: number | null
  /** The price of a step is not known: `usd` leaves it out. */
  readonly price_unknown?: boolean
  /** What a run will not do as asked; only of the whole run. */
  readonly notices?: readonly Notice[]
}

/** By step id; steps of an inner agent have ids of the form `node/inner`. */
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
  /** The user pressed Save: the history gets its own entry. */
  readonly keep?: boolean
  /** The page is being closed: the request must outlive it. */
  readonly leaving?: boolean
}

/** Server requests of the open document. */
export interface FlowBackend {
  load(): Promise<Draft>
  save(draft: Draft, options: SaveOptions): Promise<{ revision: number; savedAt: number }>
  check(document: FlowDocument, signal: AbortSignal): Promise<Checked>
}

/** Thrown by `save` when the draft has been saved elsewhere since it was read. */
export class StaleRevisionError extends Error {
  constructor() {
    super('This agent was changed in another tab or on another device.')
    this.name = 'StaleRevision'
  }
}

/** Thrown by `save` when the server could not be reached. */
export class ServerUnreachableError extends Error {
  constructor() {
    super('The server cannot be reached. Your changes are saved in this browser.')
    this.name = 'Unreachable'
  }
}
