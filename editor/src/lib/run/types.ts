/** Events of a run as the server streams them, and the state derived from them. */
export type RunStatus = 'queued' | 'running' | 'finished' | 'failed' | 'cancelled'

export type StepStatus = 'pending' | 'queued' | 'running' | 'finished' | 'failed' | 'skipped' | 'cancelled'

export interface ErrorData {
  readonly code: string
  readonly message: string
  readonly detail?: string | null
  readonly retryable?: boolean
  readonly provider?: string | null
}

export interface Skipped {
  readonly because: string | null
  readonly reason: string
}

/** A step waits before its next attempt: `attempt` failed, and the next one starts after `seconds`. */
export interface Retry {
  readonly attempt: number
  readonly seconds: number
}

export interface MadeBy {
  readonly provider?: string | null
  readonly model?: string | null
  readonly prompt?: string | null
  readonly seed?: number | null
  readonly settings?: Readonly<Record<string, unknown>> | null
}

/** The state of one step. */
export interface StepState {
  readonly id: string
  readonly nodeType: string
  readonly title: string
  readonly status: StepStatus
  readonly cached: boolean
  readonly progress: number | null
  readonly message: string
  /** Text streamed so far. */
  readonly text: string
  /** Values before they are final: previews and finished items, by port and item. */
  readonly partials: Readonly<Record<string, readonly unknown[]>>
  readonly outputs: Readonly<Record<string, unknown>>
  readonly error: ErrorData | null
  readonly retrying: Retry | null
  readonly skipped: Skipped | null
  /** Epoch seconds. */
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly seconds: number | null
  readonly costUsd: number
  readonly madeBy: MadeBy | null
}

export interface RunState {
  readonly status: RunStatus
  readonly lastSeq: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly seconds: number | null
  readonly costUsd: number
  readonly error: ErrorData | null
  readonly order: readonly string[]
  readonly steps: Readonly<Record<string, StepState>>
}

export interface RunEvent {
  readonly seq: number
  readonly type: string
  /** Epoch seconds. */
  readonly time: number
  readonly step: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** The fields of the API's `Run` from which the state is built. */
export interface RunSnapshot {
  readonly status: string
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly seconds: number | null
  readonly cost_usd: string | null
  readonly error?: ErrorData | null
  readonly last_seq: number
  readonly steps: readonly StepSnapshot[]
}

export interface StepSnapshot {
  readonly id: string
  readonly node_type: string
  readonly title: string
  readonly status: string
  readonly cached: boolean
  readonly progress: number | null
  readonly message: string | null
  readonly text: string | null
  readonly outputs: Readonly<Record<string, unknown>>
  readonly error: ErrorData | null
  readonly seconds: number | null
  readonly started_at: string | null
  readonly finished_at: string | null
  readonly cost_usd: string | null
  readonly skipped: Skipped | null
  readonly retrying?: Retry | null
  readonly made_by?: MadeBy | null
}

export const isOver = (status: RunStatus): boolean => status !== 'queued' && status !== 'running'
