import { createStore } from 'zustand/vanilla'
import { type FlowDocument, sameContent } from '@/graph/document'
import { type Draft, type FlowBackend, type SaveOptions, StaleRevision, Unreachable } from './backend'
import type { FlowStore } from './flow-store'
import type { Recovered, Shelf } from './recovery'

export type SaveStatus = 'saved' | 'unsaved' | 'saving' | 'offline' | 'failed' | 'conflict'

export interface SaveState {
  readonly status: SaveStatus
  /** Epoch milliseconds. */
  readonly savedAt: number | null
  readonly saved: Draft
  readonly theirs: Draft | null
  readonly error: string | null
}

export const AUTOSAVE_AFTER = 1500
const SHELVE_AFTER = 300
const RETRY_AFTER = 5000

interface Parts {
  readonly flowId: string
  readonly flow: FlowStore
  readonly backend: FlowBackend
  readonly shelf: Shelf
  readonly opened: Draft
  readonly savedAt: number | null
}

/** Brings every change to the server and keeps it in the browser until it is there. */
export class Saver {
  readonly store
  private autosave: ReturnType<typeof setTimeout> | undefined
  private shelving: ReturnType<typeof setTimeout> | undefined
  private running: Promise<boolean> | null = null
  private unsubscribe: () => void = () => undefined

  constructor(private readonly parts: Parts) {
    this.store = createStore<SaveState>(() => ({
      status: 'saved',
      savedAt: parts.savedAt,
      saved: parts.opened,
      theirs: null,
      error: null,
    }))
    this.begin()
  }

  /** Watches the document; a saver that was stopped watches again. */
  begin(): void {
    this.unsubscribe()
    this.unsubscribe = this.parts.flow.store.subscribe(() => this.changed())
  }

  get dirty(): boolean {
    return this.parts.flow.document !== this.state.saved.document
  }

  /** Saves now. True when the server has everything. */
  async save(options: SaveOptions = {}): Promise<boolean> {
    clearTimeout(this.autosave)
    if (this.state.status === 'conflict') return false
    if (this.running && !options.leaving) await this.running
    if (!this.dirty && !options.keep) return true
    this.running = this.attempt(this.parts.flow.document, options)
    const done = await this.running
    this.running = null
    if (done && this.dirty) this.schedule(AUTOSAVE_AFTER)
    return done
  }

  /**
   * Takes what the person chose in a conflict and saves it over the newer revision. Both sides go into the history
   * first, so that neither is lost to the choice.
   */
  async resolve(document: FlowDocument): Promise<boolean> {
    const { theirs } = this.state
    if (!theirs) return false
    const mine = this.parts.flow.document
    this.set({ status: 'saving', saved: theirs, theirs: null })
    this.parts.flow.edit(() => document)
    this.running = this.keepAside([theirs.document, mine])
    return (await this.running) && this.save({ keep: true })
  }

  /** Puts another draft (a restored version) in place; the server has it already. */
  adopt(draft: Draft, savedAt: number): void {
    clearTimeout(this.autosave)
    this.set({ status: 'saved', saved: draft, savedAt, theirs: null, error: null })
    this.parts.flow.edit(() => draft.document)
    this.parts.shelf.forget(this.parts.flowId)
  }

  /**
   * Puts back work that never reached the server. Made from the revision that the server still has, it is saved
   * by and by; made from an older one, the person is asked.
   */
  rebase({ document, start, revision }: Recovered): void {
    const { saved } = this.state
    if (revision !== saved.revision) {
      this.set({ status: 'conflict', theirs: saved, saved: { document: start, revision } })
    }
    this.parts.flow.edit(() => document)
  }

  /** Writes what is not saved yet into the browser, at once. */
  shelve(): void {
    clearTimeout(this.shelving)
    this.shelving = undefined
    const { document } = this.parts.flow
    const { saved } = this.state
    if (!this.dirty) return
    const work = { document, start: saved.document, revision: saved.revision, at: Date.now() }
    this.parts.shelf.keep(this.parts.flowId, work)
  }

  stop(): void {
    this.shelve()
    this.unsubscribe()
    clearTimeout(this.autosave)
  }

  private get state(): SaveState {
    return this.store.getState()
  }

  private set(change: Partial<SaveState>) {
    this.store.setState(change)
  }

  private changed() {
    if (!this.dirty) return
    this.shelving ??= setTimeout(() => this.shelve(), SHELVE_AFTER)
    if (this.state.status === 'conflict') return
    if (this.state.status !== 'saving') this.set({ status: 'unsaved', error: null })
    this.schedule(AUTOSAVE_AFTER)
  }

  private schedule(after: number) {
    clearTimeout(this.autosave)
    this.autosave = setTimeout(() => void this.save(), after)
  }

  private async attempt(document: FlowDocument, options: SaveOptions): Promise<boolean> {
    this.set({ status: 'saving', error: null })
    try {
      const { revision, savedAt } = await this.parts.backend.save(
        { document, revision: this.state.saved.revision },
        options,
      )
      const current = this.parts.flow.document === document
      this.set({ status: current ? 'saved' : 'unsaved', saved: { document, revision }, savedAt })
      if (current) this.forget()
      return true
    } catch (error) {
      await this.failed(error)
      return false
    }
  }

  /** Writes each into the history, one over the other. */
  private async keepAside(sides: readonly FlowDocument[]): Promise<boolean> {
    for (const document of sides) {
      try {
        const draft = { document, revision: this.state.saved.revision }
        const { revision } = await this.parts.backend.save(draft, { keep: true })
        this.set({ saved: { document, revision } })
      } catch (error) {
        await this.failed(error)
        return false
      }
    }
    return true
  }

  private forget() {
    clearTimeout(this.shelving)
    this.shelving = undefined
    this.parts.shelf.forget(this.parts.flowId)
  }

  private async failed(error: unknown) {
    this.shelve()
    if (error instanceof StaleRevision) return this.conflict()
    const message = error instanceof Error ? error.message : String(error)
    if (!(error instanceof Unreachable)) return this.set({ status: 'failed', error: message })
    this.set({ status: 'offline', error: message })
    this.schedule(RETRY_AFTER)
  }

  /** Reads the other side. When it says the same as mine, there is nothing to ask. */
  private async conflict() {
    const theirs = await this.parts.backend.load().catch(() => null)
    if (!theirs) return this.set({ status: 'offline' })
    if (sameContent(theirs.document, this.parts.flow.document)) {
      this.set({ status: 'saved', saved: { ...theirs, document: this.parts.flow.document } })
      return this.forget()
    }
    this.set({ status: 'conflict', theirs })
  }
}
