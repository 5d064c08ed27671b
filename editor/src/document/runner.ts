import { createStore } from 'zustand/vanilla'
import type { Settings } from '@/graph/document'
import { fromRun } from '@/lib/run/reduce'
import { createRunStore } from '@/lib/run/store'
import { isOver, type RunEvent, type RunSnapshot, type StepState } from '@/lib/run/types'
import type { StreamState } from '@/lib/run-events'

export interface RunRequest {
  readonly inputs: Readonly<Record<string, unknown>>
  readonly targets?: readonly string[]
  readonly fresh?: readonly string[]
  readonly reuse?: 'changed' | 'pure' | 'none'
  readonly budgetUsd?: string | null
  readonly allowUnpriced?: boolean
  /** Runs this node of the draft with its settings and with each of `variants`, which are all settings it has. */
  readonly comparison?: { readonly node: string; readonly variants: readonly Settings[] }
  /** A published version to run instead of the draft. */
  readonly version?: number
}

export interface Comparison {
  readonly node: string
  readonly title: string
  readonly steps: readonly string[]
  readonly cancelled: readonly string[]
}

export interface OpenRun extends RunSnapshot {
  readonly id: string
  readonly number: number
  readonly version: number | string | null
  readonly inputs: Readonly<Record<string, unknown>>
  readonly can_cancel?: boolean
  /** The document of the run. */
  readonly flow?: unknown
  readonly can_resume?: boolean
  /** The node that it compares settings of; the first of its `steps` has those of the draft. */
  readonly comparison?: Comparison | null
  /** The saved brands that it used. */
  readonly brands?: readonly { readonly brand_id: string; readonly version: number }[]
}

/** Server requests of the runner. */
export interface RunBackend {
  /** Stores a launch in this tab until it is answered, so that a reload continues it. Returns its key. */
  remember(order: RunRequest, key?: string): string
  /** The launch that a reload has interrupted. */
  findPending(): { readonly order: RunRequest; readonly key: string } | null
  forget(key: string, error?: unknown): void
  /** A repeated request with the same key returns the run that the first one started. */
  start(order: RunRequest, key: string): Promise<OpenRun>
  read(id: string): Promise<OpenRun>
  cancel(id: string): Promise<unknown>
  resume(id: string): Promise<unknown>
  /** Follows the events of the run after the given one and reconnects if needed. Returns a function that stops it. */
  follow(
    id: string,
    after: number,
    onEvent: (event: RunEvent) => boolean,
    onStream: (state: StreamState) => void,
  ): () => void
}

/** Thrown by `read` for a run that cannot be shown here. */
export class ForeignRunError extends Error {
  constructor() {
    super('This run belongs to another agent')
    this.name = 'OtherAgentsRun'
  }
}

export interface RunnerState {
  readonly run: OpenRun | null
  /** Whether a launch request is pending. */
  readonly busy: 'starting' | 'stopping' | null
  /** Whether the event connection is lost and not yet restored. */
  readonly isDisconnected: boolean
}

/** Starts, follows and stops the run shown on the canvas. */
export class Runner {
  readonly store = createStore<RunnerState>(() => ({ run: null, busy: null, isDisconnected: false }))
  readonly live = createRunStore()
  private stopFollowing: () => void = () => undefined
  private cancelRequested = false

  constructor(private readonly backend: RunBackend) {}

  get running(): boolean {
    const { run, busy } = this.store.getState()
    return busy === 'starting' || (run !== null && !isOver(this.live.getState().status))
  }

  /**
   * Calls `prepare` (saving the document) and starts a run. A reload before the response continues the launch with
   * the same key.
   */
  async start(order: RunRequest, prepare = async () => {}, key?: string): Promise<void> {
    if (this.running) return
    this.cancelRequested = false
    this.store.setState({ busy: 'starting' })
    const pending = this.backend.remember(order, key)
    try {
      await prepare()
      this.show(await this.backend.start(order, pending))
      this.backend.forget(pending)
    } catch (error) {
      this.backend.forget(pending, error)
      throw error
    } finally {
      this.store.setState({ busy: null })
    }
    if (this.cancelRequested) await this.cancel()
  }

  /** The launch that a reload has interrupted. */
  findPending(): { readonly order: RunRequest; readonly key: string } | null {
    return this.backend.findPending()
  }

  /** Shows a run and follows its further events. */
  show(run: OpenRun): void {
    this.stopFollowing()
    this.live.reset(fromRun(run))
    this.store.setState({ run, isDisconnected: false })
    if (!isOver(this.live.getState().status)) this.follow(run)
  }

  async open(id: string): Promise<void> {
    this.show(await this.read(id))
  }

  read(id: string): Promise<OpenRun> {
    return this.backend.read(id)
  }

  /** Cancels the run; one that is still starting is cancelled as soon as it has started. */
  async cancel(): Promise<void> {
    const { run, busy } = this.store.getState()
    this.cancelRequested = busy === 'starting'
    if (!run || !this.running || this.cancelRequested) return
    this.store.setState({ busy: 'stopping' })
    try {
      await this.backend.cancel(run.id)
    } finally {
      this.store.setState({ busy: null })
    }
  }

  /** Retries failed and skipped steps, and no others. */
  async resume(): Promise<void> {
    const { run } = this.store.getState()
    if (!run || this.running) return
    this.store.setState({ busy: 'starting' })
    try {
      await this.backend.resume(run.id)
      await this.open(run.id)
    } finally {
      this.store.setState({ busy: null })
    }
  }

  /** Shows steps of another run in place of those that the run shown has for the same node. */
  adopt(steps: readonly StepState[]): void {
    if (this.running) return
    const state = this.live.getState()
    const known = new Set(state.order)
    this.live.reset({
      ...state,
      order: [...state.order, ...steps.map((step) => step.id).filter((id) => !known.has(id))],
      steps: { ...state.steps, ...Object.fromEntries(steps.map((step) => [step.id, step])) },
    })
  }

  /** Removes the run from the canvas. */
  clear(): void {
    this.stopFollowing()
    this.live.reset()
    this.store.setState({ run: null, isDisconnected: false })
  }

  stop(): void {
    this.stopFollowing()
  }

  private follow(run: OpenRun) {
    const onEvent = (event: RunEvent) => {
      this.live.push(event)
      const over = event.type.startsWith('run.') && event.type !== 'run.started'
      if (over) void this.loadFinalState(run.id)
      return over
    }
    const onStream = (state: StreamState) => {
      if (state !== 'connecting') this.store.setState({ isDisconnected: state === 'waiting' })
    }
    this.stopFollowing = this.backend.follow(run.id, run.last_seq, onEvent, onStream)
  }

  /** Reads a finished run again: totals and details that the event stream does not contain. */
  private async loadFinalState(id: string) {
    const run = await this.backend.read(id).catch(() => null)
    if (!run || this.store.getState().run?.id !== id) return
    this.live.flush()
    this.store.setState({ run })
    if (run.last_seq >= this.live.getState().lastSeq && isOver(fromRun(run).status)) {
      this.live.reset(fromRun(run))
    }
  }
}
