import { createStore } from 'zustand/vanilla'
import { type Catalog, EMPTY_CATALOG } from '@/graph/catalog'
import type { End, Point } from '@/graph/document'

export type InspectorTab = 'settings' | 'result' | 'about'

/** An edge being drawn: where it begins and which ports would take it. */
export interface Connecting {
  readonly end: End
  readonly side: 'source' | 'target'
  readonly valueType: string
  /** `node.port` of every port that fits. */
  readonly accepts: ReadonlySet<string>
  /** Begun with a tap on the port: the next tap ends it, and nothing is held down meanwhile. */
  readonly byTap?: boolean
}

/** The palette opened at a place on the canvas, showing only what fits the loose end of an edge. */
export interface PaletteRequest {
  readonly at: Point
  readonly screen: Point
  readonly from: { readonly end: End; readonly side: 'source' | 'target' } | null
}

/** A connection that was refused, and where the person let it go. */
export interface ConnectionRejection {
  readonly reason: string
  readonly from: End
  readonly to: End
  readonly bridges: readonly { type: string; title: string; input: string; output: string }[]
  readonly screen: Point
  readonly at: Point
}

export type DialogName =
  | 'shortcuts'
  | 'commands'
  | 'publish'
  | 'problems'
  | 'run'
  | 'runs'
  | 'connect'
  | 'insert'
  | null

export interface ViewState {
  readonly catalog: Catalog
  readonly nodes: readonly string[]
  readonly edges: readonly string[]
  readonly tab: InspectorTab
  readonly connecting: Connecting | null
  readonly palette: PaletteRequest | null
  readonly rejection: ConnectionRejection | null
  readonly dialog: DialogName
  /** The port from which a connection is being made by keyboard. */
  readonly port: { readonly end: End; readonly side: 'source' | 'target' } | null
  readonly mode: 'edit' | 'history'
  readonly dock: boolean
  readonly minimap: boolean
  readonly zoom: number
  /** A node just asked for: the canvas brings it into view. */
  readonly reveal: { readonly node: string; readonly nonce: number } | null
  /** Grows when the keyboard asks for the settings of the chosen node. */
  readonly inspect: number
  /** Where the panels do not fit beside the canvas: whether the palette lies open over it. */
  readonly isPaletteOpen: boolean
  /** The same for the inspector; closed, only the name of the chosen node is left of it. */
  readonly isInspectorOpen: boolean
  /** Somebody else saved meanwhile, and the person put the choice off. */
  readonly hasPendingConflict: boolean
  /** The most that a run may spend, in dollars as they were typed; empty for no limit. */
  readonly budget: string
  /** Why the last run could not start: a quota or a beta asks for more than a notice. */
  readonly launchError: unknown
}

export const INITIAL_VIEW: ViewState = {
  catalog: EMPTY_CATALOG,
  nodes: [],
  edges: [],
  tab: 'settings',
  connecting: null,
  palette: null,
  rejection: null,
  dialog: null,
  port: null,
  mode: 'edit',
  dock: true,
  minimap: true,
  zoom: 1,
  reveal: null,
  inspect: 0,
  budget: '',
  isPaletteOpen: false,
  isInspectorOpen: false,
  hasPendingConflict: false,
  launchError: null,
}

/** What is looked at and pointed to: nothing of it belongs to the document. */
export function createViewStore(start: Partial<ViewState> = {}) {
  const store = createStore<ViewState>(() => ({ ...INITIAL_VIEW, ...start }))
  let nonce = 0
  return Object.assign(store, {
    select(nodes: readonly string[], edges: readonly string[] = []) {
      store.setState({ nodes, edges })
    },
    /** Chooses a node and brings it into view. */
    show(node: string, tab: InspectorTab = 'settings') {
      nonce += 1
      store.setState({
        nodes: [node],
        edges: [],
        tab,
        reveal: { node, nonce },
        isInspectorOpen: true,
        isPaletteOpen: false,
      })
    },
    /** Brings a node into view. */
    reveal(node: string) {
      nonce += 1
      store.setState({ reveal: { node, nonce } })
    },
    open(sheet: DialogName) {
      store.setState({ dialog: sheet })
    },
  })
}

export type ViewStore = ReturnType<typeof createViewStore>
