import { CARD_SIZE, cardSize } from '@/graph/card-size'
import type { Catalog, Ports } from '@/graph/catalog'
import { type FlowDocument, type Point, type Size, sameContent } from '@/graph/document'
import { makeRoom } from '@/graph/edits/make-room'
import { indexOf } from '@/graph/graph-index'
import type { Draft, FlowBackend } from './backend'
import { Checker } from './checker'
import { createFlowStore, type Edit, type FlowStore } from './flow-store'
import { isPaletteFolded } from './folded-palette'
import type { RecoveryStore } from './recovery'
import { type RunBackend, Runner } from './runner'
import { Saver } from './saver'
import { createViewStore, type ViewStore } from './view-store'

/** Functions of the mounted canvas for callers that only have the session. */
export interface ViewportControls {
  fit(nodes?: readonly string[]): void
  zoom(by: 'in' | 'out' | number): void
  /** The middle of the visible area, in flow coordinates. */
  center(): Point
  /** Converts a point of the window into flow coordinates. */
  toFlowPosition(screen: Point): Point
  /** Converts flow coordinates into a point of the window. */
  toScreenPosition(at: Point): Point
  /** Animates the next change of node positions. */
  animateNextMove(): void
  focusNode(node: string): void
}

export interface SessionOptions {
  readonly flowId: string
  readonly opened: Draft
  readonly savedAt: number | null
  readonly catalog: Catalog
  readonly backend: FlowBackend
  readonly runs: RunBackend
  readonly comparisons: RunBackend
  readonly recovery: RecoveryStore
  readonly canEdit: boolean
  /** The budget of a run, as last entered. */
  readonly budget?: string
}

/** With more nodes than this, the minimap is shown by default. */
const MIN_NODES_FOR_MINIMAP = 14

/** One open agent: its document, saving, checking, view state and run. */
export class Session {
  readonly flowId: string
  readonly canEdit: boolean
  catalog: Catalog
  readonly flow: FlowStore
  readonly saver: Saver
  readonly checker: Checker
  readonly view: ViewStore
  readonly runner: Runner
  /** The comparison of settings that is shown. */
  readonly comparer: Runner
  viewport: ViewportControls | null = null
  /** Opens an agent that a node runs, with a way back to this one; null until the page provides it. */
  openInside: ((flowId: string) => void) | null = null

  constructor(private readonly options: SessionOptions) {
    this.flowId = options.flowId
    this.canEdit = options.canEdit
    this.catalog = options.catalog
    this.flow = createFlowStore(options.opened.document)
    this.view = createViewStore({
      isPaletteFolded: isPaletteFolded(),
      catalog: options.catalog,
      minimap: options.opened.document.nodes.length > MIN_NODES_FOR_MINIMAP,
      budget: options.budget ?? '',
    })
    this.saver = new Saver({ ...options, flow: this.flow })
    this.checker = new Checker(this.flow, options.backend)
    this.runner = new Runner(options.runs)
    this.comparer = new Runner(options.comparisons)
  }

  get document(): FlowDocument {
    return this.flow.document
  }

  /** Edits the document, unless it is read-only. Cards that the edit makes larger move others out of their way. */
  edit(change: Edit, gesture?: string): void {
    if (!this.canEdit) return
    this.flow.edit((document) => makeRoom(document, change(document), this.catalog), gesture)
  }

  /** Restores unsaved work from this browser; returns true when there was some. */
  async recover(): Promise<boolean> {
    const recovered = this.canEdit ? await this.options.recovery.find(this.flowId) : null
    const { saved } = this.saver.store.getState()
    // If the user has started to edit, keep the stored work for the next time.
    if (!recovered || this.saver.isDirty) return false
    if (sameContent(recovered.document, saved.document)) {
      this.options.recovery.clear(this.flowId)
      return false
    }
    this.saver.rebase(recovered)
    return true
  }

  /** Reads the draft from the server and treats it as saved. */
  async reload(): Promise<void> {
    this.saver.adopt(await this.options.backend.load(), Date.now())
  }

  /** Starts watching the document; can be called again after `stop`. */
  begin(): void {
    this.saver.begin()
    this.checker.begin()
  }

  hasAgentPorts(flow: string): boolean {
    return this.catalog.hasAgentPorts(flow)
  }

  /** Loads the inputs and results of the agents that nodes of this document run. */
  addAgentPorts(key: string, ports: Ports, newest?: number | null): void {
    const known = this.catalog.withAgentPorts(key, ports)
    this.catalog = newest === undefined ? known : known.withNewest(key, newest)
    this.view.setState({ catalog: this.catalog })
  }

  /** The size of a card, which depends on its node and not on its results. */
  sizeOf(node: string): Size {
    const found = indexOf(this.document, this.catalog).nodes.get(node)
    return found ? cardSize(found, this.document, this.catalog) : CARD_SIZE
  }

  stop(): void {
    this.saver.stop()
    this.checker.stop()
    this.runner.stop()
    this.comparer.stop()
  }
}
