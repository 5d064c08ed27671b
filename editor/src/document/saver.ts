import { createStore } from 'zustand/vanilla'
import { type FlowDocument, sameContent } from '@/graph/document'
import {
  type Draft,
  type FlowBackend,
  type SaveOptions,
  ServerUnreachableError,
  StaleRevisionError,
} from './backend'
import type { FlowStore } from './flow-store'
import type { RecoveryStore, UnsavedWork } from './recovery'

export type SaveStatus = 'saved' | 'unsaved' | 'saving' | 'offline' | 'failed' | 'conflict'

export interface SaveState {
  readonly status: SaveStatus
  /** Epoch milliseconds. */
  readonly savedAt: number | null
  readonly saved: Draft
  readonly theirs: Draft | null
  readonly error: string | null
}

export const AUTOSAVE_DELAY_MS = 1500
const RECOVERY_DELAY_MS = 300
const RETRY_DELAY_MS = 5000

interface SaverOptions {
  readonly flowId: string
  readonly flow: FlowStore
  readonly backend: FlowBackend
  readonly recovery: RecoveryStore
  readonly opened: Draft
  readonly savedAt: number | null
}

/** Saves every change to the server, and keeps it in the browser until the server has it. */
export class Saver {
  readonly store
  private autosaveTimer: ReturnType<typeof setTimeout> | undefined
  private recoveryTimer: ReturnType<typeof setTimeout> | undefined
  private running: Promise<boolean> | null = null
  /** What was sent last and may be on the server, which has not answered; null when it has. */
  private sent: FlowDocument | null = null
  private unsubscribe: () => void = () => undefined

  constructor(private readonly options: SaverOptions) {
    this.store = createStore<SaveState>(() => ({
      status: 'saved',
      savedAt: options.savedAt,
      saved: options.opened,
      theirs: null,
      error: null,
    }))
    this.begin()
  }

  /** Starts watching the document; can be called again after `stop`. */
  begin(): void {
    this.unsubscribe()
    this.unsubscribe = this.options.flow.store.subscribe(() => this.changed())
  }

  /** Whether the server lacks a change, or will once it has what was sent last. */
  get isDirty(): boolean {
    const { document } = this.options.flow
    return document !== this.state.saved.document || (this.sent !== null && this.sent !== document)
  }

  /** Saves now. Returns true when the server has every change. */
  async save(options: SaveOptions = {}): Promise<boolean> {
    clearTimeout(this.autosaveTimer)
    if (this.state.status === 'conflict') return false
    if (this.running && !options.leaving) await this.running
    if (!this.isDirty && !options.keep) {
      // An undo has restored what is saved.
      if (this.state.status === 'unsaved') this.set({ status: 'saved' })
      return true
    }
    this.running = this.attempt(this.options.flow.document, options)
    const done = await this.running
    this.running = null
    if (done && this.isDirty) this.schedule(AUTOSAVE_DELAY_MS)
    return done
  }

  /**
   * Resolves an edit conflict: saves the chosen document over the newer revision. Both sides are saved to the
   * history first, so that either can be restored.
   */
  async resolve(document: FlowDocument): Promise<boolean> {
    const { theirs } = this.state
    if (!theirs) return false
    const mine = this.options.flow.document
    this.set({ status: 'saving', saved: theirs, theirs: null })
    this.options.flow.edit(() => document)
    this.running = this.saveToHistory([theirs.document, mine])
    return (await this.running) && this.save({ keep: true })
  }

  /** Replaces the draft with one that the server already has, such as a restored version. */
  adopt(draft: Draft, savedAt: number): void {
    clearTimeout(this.autosaveTimer)
    this.set({ status: 'saved', saved: draft, savedAt, theirs: null, error: null })
    this.options.flow.edit(() => draft.document)
    this.options.recovery.clear(this.options.flowId)
  }

  /**
   * Restores work that never reached the server. If the server still has the revision it is based on, or what this
   * browser sent last, the work is saved automatically; otherwise the user resolves the conflict.
   */
  rebase({ document, start, sent, revision }: UnsavedWork): void {
    const { saved } = this.state
    const isOurs = revision === saved.revision || (sent && sameContent(sent, saved.document))
    if (!isOurs) {
      this.set({ status: 'conflict', theirs: saved, saved: { document: start, revision } })
    }
    this.options.flow.edit(() => document)
  }

  /** Writes unsaved work into the browser's storage at once. */
  saveRecovery(): void {
    clearTimeout(this.recoveryTimer)
    this.recoveryTimer = undefined
    const { document } = this.options.flow
    const { saved } = this.state
    if (!this.isDirty) return
    // A third copy of a large document may not fit; recovered work that the server has is recognized without it.
    const sent = this.sent === document ? null : this.sent
    const work = { document, start: saved.document, sent, revision: saved.revision, at: Date.now() }
    this.options.recovery.save(this.options.flowId, work)
  }

  stop(): void {
    this.saveRecovery()
    this.unsubscribe()
    clearTimeout(this.autosaveTimer)
  }

  private get state(): SaveState {
    return this.store.getState()
  }

  private set(change: Partial<SaveState>) {
    this.store.setState(change)
  }

  private changed() {
    if (!this.isDirty) {
      // An undo or redo has restored what is saved: what lay between must not come back when the page is opened.
      if (this.state.status === 'unsaved') this.forget()
      return
    }
    this.recoveryTimer ??= setTimeout(() => this.saveRecovery(), RECOVERY_DELAY_MS)
    if (this.state.status === 'conflict') return
    if (this.state.status !== 'saving') this.set({ status: 'unsaved', error: null })
    this.schedule(AUTOSAVE_DELAY_MS)
  }

  private schedule(after: number) {
    clearTimeout(this.autosaveTimer)
    this.autosaveTimer = setTimeout(() => void this.save(), after)
  }

  private async attempt(document: FlowDocument, options: SaveOptions): Promise<boolean> {
    const earlier = this.sent
    this.set({ status: 'saving', error: null })
    this.sent = document
    try {
      const { revision, savedAt } = await this.options.backend.save(
        { document, revision: this.state.saved.revision },
        options,
      )
      this.sent = null
      const current = this.options.flow.document === document
      this.set({ status: current ? 'saved' : 'unsaved', saved: { document, revision }, savedAt })
      if (current) this.forget()
      return true
    } catch (error) {
      if (!(error instanceof ServerUnreachableError)) this.sent = null
      await this.failed(error, earlier)
      return false
    }
  }

  /** Saves each document as a history entry, one after the other. */
  private async saveToHistory(sides: readonly FlowDocument[]): Promise<boolean> {
    for (const document of sides) {
      try {
        const draft = { document, revision: this.state.saved.revision }
        const { revision } = await this.options.backend.save(draft, { keep: true })
        this.set({ saved: { document, revision } })
      } catch (error) {
        await this.failed(error)
        return false
      }
    }
    return true
  }

  private forget() {
    clearTimeout(this.recoveryTimer)
    this.recoveryTimer = undefined
    this.options.recovery.clear(this.options.flowId)
  }

  private async failed(error: unknown, earlier: FlowDocument | null = null) {
    this.saveRecovery()
    if (error instanceof StaleRevisionError) return this.conflict(earlier)
    const message = error instanceof Error ? error.message : String(error)
    if (!(error instanceof ServerUnreachableError)) return this.set({ status: 'failed', error: message })
    this.set({ status: 'offline', error: message })
    this.schedule(RETRY_DELAY_MS)
  }

  /**
   * Reads the revision on the server. If it equals the local document, there is no conflict; if it equals `earlier`,
   * which was sent from here, the local document is saved over it.
   */
  private async conflict(earlier: FlowDocument | null) {
    const theirs = await this.options.backend.load().catch(() => null)
    if (!theirs) return this.set({ status: 'offline' })
    if (sameContent(theirs.document, this.options.flow.document)) {
      this.set({ status: 'saved', saved: { ...theirs, document: this.options.flow.document } })
      return this.forget()
    }
    if (earlier && sameContent(theirs.document, earlier)) {
      this.set({ status: 'unsaved', saved: { ...theirs, document: earlier } })
      return this.schedule(AUTOSAVE_DELAY_MS)
    }
    this.set({ status: 'conflict', theirs })
  }
}
