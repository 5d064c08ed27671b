import { createStore } from 'zustand/vanilla'
import type { FlowDocument } from '@/graph/document'
import type { Checked, FlowBackend, Problem } from './backend'
import type { FlowStore } from './flow-store'

export interface CheckState extends Checked {
  /** The document that was checked; null until the first answer. */
  readonly of: FlowDocument | null
  readonly byNode: ReadonlyMap<string, readonly Problem[]>
}

const CHECK_DELAY_MS = 500

export const UNCHECKED: CheckState = {
  problems: [],
  inputs: {},
  results: [],
  estimate: null,
  steps: {},
  of: null,
  byNode: new Map(),
}

/** Has the server check the document after each pause in editing. */
export class Checker {
  readonly store = createStore<CheckState>(() => UNCHECKED)
  private timer: ReturnType<typeof setTimeout> | undefined
  private asking: AbortController | undefined
  private unsubscribe: () => void = () => undefined

  constructor(
    private readonly flow: FlowStore,
    private readonly backend: Pick<FlowBackend, 'check'>,
  ) {
    this.begin()
  }

  begin(): void {
    this.unsubscribe()
    this.unsubscribe = this.flow.store.subscribe(() => this.schedule())
    void this.check()
  }

  /** Checks now; keeps the last result when the request fails. */
  async check(): Promise<void> {
    clearTimeout(this.timer)
    this.asking?.abort()
    const asking = new AbortController()
    this.asking = asking
    const { document } = this.flow
    if (this.store.getState().of === document) return
    try {
      const checked = await this.backend.check(document, asking.signal)
      if (asking.signal.aborted) return
      this.store.setState({ ...checked, of: document, byNode: groupByNode(checked.problems) }, true)
    } catch {
      if (!asking.signal.aborted) this.store.setState({ of: null })
    }
  }

  /** Checks again although the document has not changed: a key may have been added elsewhere. */
  async recheck(): Promise<void> {
    this.store.setState({ of: null })
    await this.check()
  }

  /** Shows the problems for which a run was refused, until the next edit. */
  adopt(problems: readonly Problem[]): void {
    clearTimeout(this.timer)
    this.asking?.abort()
    this.store.setState({ problems, of: this.flow.document, byNode: groupByNode(problems) })
  }

  stop(): void {
    this.unsubscribe()
    clearTimeout(this.timer)
    this.asking?.abort()
  }

  private schedule() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.check(), CHECK_DELAY_MS)
  }
}

function groupByNode(problems: readonly Problem[]): Map<string, Problem[]> {
  const groups = new Map<string, Problem[]>()
  for (const problem of problems) {
    if (!problem.node) continue
    groups.set(problem.node, [...(groups.get(problem.node) ?? []), problem])
  }
  return groups
}
