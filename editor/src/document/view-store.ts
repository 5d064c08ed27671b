import { createStore } from 'zustand/vanilla'
import { type Catalog, EMPTY_CATALOG } from '@/graph/catalog'
import type { Bridge, RejectionReason } from '@/graph/connect'
import type { End, Point, Settings } from '@/graph/document'
import type { EdgeDropOption } from '@/graph/edge-drop'
import type { ValuePath } from '@/graph/value-path'
import type { MediaValue } from '@/lib/run/media-values'

export type InspectorTab = 'settings' | 'result' | 'about'

/** An edge being drawn: its start and the ports that accept it. */
export interface Connecting {
  readonly end: End
  readonly side: 'source' | 'target'
  readonly valueType: string
  /** `node.port` of every port that accepts it. */
  readonly accepts: ReadonlySet<string>
  /** Started with a tap on the port: the next tap completes it, no button is held. */
  readonly byTap?: boolean
}

/** The palette opened at a point of the canvas, showing only types that fit the open end of an edge. */
export interface PaletteRequest {
  readonly at: Point
  readonly screen: Point
  readonly from: { readonly end: End; readonly side: 'source' | 'target' } | null
}

/** A refused connection, and the point where it was dropped. */
export interface ConnectionRejection {
  readonly reason: RejectionReason
  readonly from: End
  readonly to: End
  readonly bridges: readonly Bridge[]
  readonly screen: Point
  readonly at: Point
}

/** What releasing the edge at this place does. */
export interface EdgeDropPreview {
  readonly node: string
  /** The port or setting that takes the edge; null when the user is asked which, or when none does. */
  readonly port: string | null
  readonly side: 'source' | 'target'
  /** What the preview says, above the card. */
  readonly words: string
  readonly screen: Point
  readonly tone: 'plain' | 'replaces' | 'refused'
}

/** The ports that fit an edge dropped on a card, from which the user chooses. */
export interface EdgeDropChoice {
  readonly node: string
  readonly options: readonly EdgeDropOption[]
  readonly screen: Point
}

/** What the context menu is open for. Cards, notes, groups and edges are selected when it opens. */
export interface MenuRequest {
  readonly target: 'card' | 'note' | 'group' | 'selection' | 'edge' | 'port' | 'canvas'
  /** Where it opens, in the window. */
  readonly screen: Point
  /** The port that it is open for. */
  readonly port?: { readonly end: End; readonly side: 'source' | 'target' } | undefined
}

/** Settings by name, which differ from those of the node in each further variant. */
export interface ComparisonDraft {
  /** The settings that are compared. */
  readonly settings: readonly string[]
  readonly variants: readonly Settings[]
}

/** An image that an output of a node has now. */
export interface NodeImage {
  readonly end: End
  readonly image: MediaValue
  /** Whether it is one of a list: an edge from the output would carry the others too. */
  readonly isOfList: boolean
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
  | 'find'
  | 'swap'
  | 'templates'
  | 'agent'
  | 'compare'
  | 'agentInputs'
  | 'agentUpdate'
  | 'variables'
  | null

export interface ViewState {
  readonly catalog: Catalog
  readonly nodes: readonly string[]
  readonly edges: readonly string[]
  readonly tab: InspectorTab
  readonly connecting: Connecting | null
  readonly edgeDrop: EdgeDropPreview | null
  readonly choice: EdgeDropChoice | null
  readonly palette: PaletteRequest | null
  readonly menu: MenuRequest | null
  readonly rejection: ConnectionRejection | null
  readonly dialog: DialogName
  /** The image on which a mask is being painted. */
  readonly masking: NodeImage | null
  /** The variants to compare that are being set up, by node. */
  readonly comparisons: Readonly<Record<string, ComparisonDraft>>
  /** The node whose settings are compared, and whether its comparison is set up or shown. */
  readonly comparing: { readonly node: string; readonly shows: 'setup' | 'run' } | null
  /** The variable that the panel shows open. */
  readonly variable: string | null
  /** The port from which a connection is being made by keyboard. */
  readonly port: { readonly end: End; readonly side: 'source' | 'target' } | null
  readonly mode: 'edit' | 'history'
  /** Whether the run bar shows its timeline, one row per step. */
  readonly hasTimeline: boolean
  readonly minimap: boolean
  readonly zoom: number
  /** Whether the user is panning or zooming the canvas. */
  readonly isMoving: boolean
  /** Whether the user has zoomed since the canvas was at rest. */
  readonly isZooming: boolean
  /** A node to scroll into view. */
  readonly reveal: { readonly node: string; readonly nonce: number } | null
  /** A note whose text takes the cursor, because it is new. */
  readonly typing: string | null
  /** A part of a setting that takes the focus, because a problem is about it. */
  readonly part: { readonly node: string; readonly setting: string; readonly path: ValuePath } | null
  /** Increases when the keyboard requests the settings of the selected node. */
  readonly inspect: number
  /** On wide screens, whether the palette is only a button. */
  readonly isPaletteFolded: boolean
  /** On narrow screens, whether the palette is open over the canvas. */
  readonly isPaletteOpen: boolean
  /** The same for the inspector; when closed, it shows only the name of the selected node. */
  readonly isInspectorOpen: boolean
  /** There is an edit conflict, and the user has postponed resolving it. */
  readonly hasPendingConflict: boolean
  /** The budget of a run in dollars, as typed; empty for no limit. */
  readonly budget: string
  /** Whether the server refused the last run because of problems of the agent. */
  readonly refused: boolean
  /** A run with a budget may use models whose price is not known. */
  readonly allowUnpriced: boolean
  /** Why the last run was refused, if it was a quota or a private beta. */
  readonly launchError: unknown
}

export const INITIAL_VIEW: ViewState = {
  catalog: EMPTY_CATALOG,
  nodes: [],
  edges: [],
  tab: 'settings',
  connecting: null,
  edgeDrop: null,
  choice: null,
  palette: null,
  menu: null,
  rejection: null,
  dialog: null,
  masking: null,
  comparisons: {},
  comparing: null,
  variable: null,
  port: null,
  mode: 'edit',
  hasTimeline: false,
  minimap: true,
  zoom: 1,
  isMoving: false,
  isZooming: false,
  reveal: null,
  typing: null,
  part: null,
  inspect: 0,
  budget: '',
  allowUnpriced: false,
  isPaletteFolded: false,
  isPaletteOpen: false,
  isInspectorOpen: false,
  hasPendingConflict: false,
  refused: false,
  launchError: null,
}

/** View state of the editor: selection, focus and open panels. None of it is part of the document. */
export function createViewStore(start: Partial<ViewState> = {}) {
  const store = createStore<ViewState>(() => ({ ...INITIAL_VIEW, ...start }))
  let nonce = 0
  return Object.assign(store, {
    select(nodes: readonly string[], edges: readonly string[] = []) {
      store.setState({ nodes, edges })
    },
    /** Selects a node and scrolls it into view. */
    show(node: string, tab: InspectorTab = 'settings') {
      nonce += 1
      store.setState({
        nodes: [node],
        edges: [],
        tab,
        reveal: { node, nonce },
        isInspectorOpen: true,
        isPaletteOpen: false,
        dialog: null,
      })
    },
    /** Scrolls a node into view. */
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
