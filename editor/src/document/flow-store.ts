import { temporal } from 'zundo'
import { createStore } from 'zustand/vanilla'
import type { FlowDocument } from '@/graph/document'

export interface FlowState {
  readonly document: FlowDocument
}

export type Edit = (document: FlowDocument) => FlowDocument

export interface UndoSteps {
  readonly past: readonly FlowDocument[]
  readonly future: readonly FlowDocument[]
}

/** Each undo step shares the unchanged parts of the document with its neighbours, so 300 take little memory. */
const MAX_UNDO_STEPS = 300

/** Holds the open document and its undo history. One gesture is one undo step, however many edits it consists of. */
export function createFlowStore(initial: FlowDocument) {
  const store = createStore<FlowState>()(
    temporal(() => ({ document: initial }) as FlowState, {
      limit: MAX_UNDO_STEPS,
      equality: (one, other) => one.document === other.document,
    }),
  )
  let gesture: string | null = null

  function untracked(document: FlowDocument) {
    const history = store.temporal.getState()
    history.pause()
    store.setState({ document })
    history.resume()
  }

  return {
    store,
    history: store.temporal,

    get document() {
      return store.getState().document
    },

    /** Applies an edit. Consecutive edits of the same gesture share one undo step. */
    edit(change: Edit, during?: string) {
      const before = store.getState().document
      const after = change(before)
      if (after === before) return
      if (during !== undefined && during === gesture) untracked(after)
      else store.setState({ document: after })
      gesture = during ?? null
    },

    /** Ends the gesture: the next edit starts a new undo step. */
    settle() {
      gesture = null
    },

    undo() {
      gesture = null
      store.temporal.getState().undo()
    },

    redo() {
      gesture = null
      store.temporal.getState().redo()
    },

    /** The documents that undo and redo lead to, the next one last. */
    steps(): UndoSteps {
      const { pastStates, futureStates } = store.temporal.getState()
      const documents = (states: typeof pastStates) => states.flatMap(({ document }) => document ?? [])
      return { past: documents(pastStates), future: documents(futureStates) }
    },

    /** Replaces the undo history, and keeps the document. */
    restoreSteps({ past, future }: UndoSteps) {
      const states = (documents: readonly FlowDocument[]) => documents.map((document) => ({ document }))
      store.temporal.setState({ pastStates: states(past), futureStates: states(future) })
    },

    /** Replaces the document and clears the undo history. */
    open(document: FlowDocument) {
      gesture = null
      untracked(document)
      store.temporal.getState().clear()
    },
  }
}

export type FlowStore = ReturnType<typeof createFlowStore>
