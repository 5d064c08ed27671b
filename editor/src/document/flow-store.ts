import { temporal } from 'zundo'
import { createStore } from 'zustand/vanilla'
import type { FlowDocument } from '@/graph/document'

export interface FlowState {
  readonly document: FlowDocument
}

export type Edit = (document: FlowDocument) => FlowDocument

/** As many steps back as a long afternoon's work; each shares all it did not change. */
const MAX_UNDO_STEPS = 300

/** Holds the open document. Every gesture is one step of undo, however many edits it was made of. */
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

    /** Applies an edit. Edits that carry the same gesture, one after the other, are undone together. */
    edit(change: Edit, during?: string) {
      const before = store.getState().document
      const after = change(before)
      if (after === before) return
      if (during !== undefined && during === gesture) untracked(after)
      else store.setState({ document: after })
      gesture = during ?? null
    },

    /** The gesture is over: the next edit is a step of its own. */
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

    /** Another document takes its place and nothing can be undone to the old one. */
    open(document: FlowDocument) {
      gesture = null
      untracked(document)
      store.temporal.getState().clear()
    },
  }
}

export type FlowStore = ReturnType<typeof createFlowStore>
