import { ConnectionMode, ReactFlow, ReactFlowProvider, SelectionMode } from '@xyflow/react'
import { type DragEvent, type MouseEvent, memo, type PointerEvent, useCallback, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Deferred } from '@/components/deferred'
import { lazyPart, usePreload } from '@/components/lazy-part'
import { loadMarkdown } from '@/components/markdown'
import { preloadControls } from '@/components/setting/lazy-controls'
import { insertNode } from '@/document/actions'
import { loadLayout } from '@/document/arrange-actions'
import { useDocument, useSession, useView } from '@/document/use-session'
import { NODE_DRAG_TYPE } from '@/graph/clipboard'
import { insertInto } from '@/graph/edits/edges'
import { isTyping } from './commands/key-targets'
import { openMenuAt } from './commands/menu-request'
import { isMac } from './commands/shortcut-keys'
import { useKeyboard } from './commands/use-keyboard'
import { ConnectionLine, FlowEdge, useHighlightedEdge } from './edges/flow-edge'
import { GuideLines } from './interactions/alignment-guides'
import { CARD_HINT_ID, type CanvasEdge } from './interactions/canvas-elements'
import { LiveViewportContext, useNewLiveViewport } from './interactions/live-viewport'
import { useMultiSelect } from './interactions/multi-select-mode'
import { nearestEdge } from './interactions/nearest-edge'
import { useCanvasElements } from './interactions/use-canvas-elements'
import { useConnecting } from './interactions/use-connecting'
import { cardsOf, useDrag } from './interactions/use-drag'
import { useOverview } from './interactions/use-low-zoom'
import { useOpening } from './interactions/use-opening'
import { useTapConnecting } from './interactions/use-tap-connecting'
import { useViewportControls } from './interactions/use-viewport-controls'
import { GroupFrame, NoteCard } from './nodes/annotations'
import { Card } from './nodes/card'
import { Dots } from './overview/dots'
import { OverviewEdges } from './overview/overview'
import { EdgeDropChooser, EdgeDropNotice } from './panels/edge-drop'
import { EmptyCanvas } from './panels/empty-canvas'
import {
  AgentDialog,
  AgentInputsDialog,
  AgentUpdateDialog,
  ConnectDialog,
  ContextMenu,
  FindDialog,
  InsertDialog,
  preloadPanels,
  SwapDialog,
  TemplateDialog,
} from './panels/lazy-panels'
import { ConnectingNotice, FileDrop, RejectionNotice } from './panels/notices'
import { useManyRunning } from './run/use-run-clock'
import './canvas.css'

// Shown with more nodes than a first flow has.
const Minimap = lazyPart(() => import('./overview/minimap').then((file) => file.Minimap))
const MaskPanel = lazyPart(() => import('./panels/mask-panel').then((file) => file.MaskPanel))

const loadLater = () =>
  Promise.all([Minimap.preload(), preloadPanels(), preloadControls(), loadLayout(), loadMarkdown()])
const nodeTypes = { card: Card, note: NoteCard, group: GroupFrame }
const edgeTypes = { flow: FlowEdge }
/**
 * React Flow zooms while Control turns the wheel without this key too, which trackpads send for a pinch. With it, each
 * press replaces the listener of the wheel, and Chromium then paints the whole canvas again.
 */
const ZOOM_KEY = isMac ? 'Meta' : null
const NO_EDGES: CanvasEdge[] = []

/** The canvas of the editor. */
export const Canvas = memo(function Canvas() {
  return (
    <ReactFlowProvider>
      <CanvasSurface />
    </ReactFlowProvider>
  )
})

function CanvasSurface() {
  usePreload(loadLater)
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const root = useRef<HTMLDivElement>(null)
  const name = useDocument((flow) => flow.name)
  const minimap = useView((view) => view.minimap)
  const surface = useCanvasElements()
  const connecting = useConnecting()
  const tapping = useTapConnecting()
  const drag = useDrag(surface.clearGuides, surface.latestEdges)
  const drop = useDrop(surface)
  const many = useManyRunning()
  const map = useOverview()
  useViewportControls(root)
  const live = useNewLiveViewport()
  const opening = useOpening(surface.nodes)
  useKeyboard(root)
  const onMove = useCallback(
    (event: unknown) => {
      // Without an event it is a jump or an animation, not a gesture.
      if (event) live.move()
    },
    [live],
  )
  const multiSelect = useMultiSelect()
  const onPress = (event: PointerEvent) => {
    live.settle()
    multiSelect(event)
  }
  const closePopups = useCallback(() => {
    const { palette, menu, rejection, choice } = session.view.getState()
    if (palette || menu || rejection || choice)
      session.view.setState({ palette: null, menu: null, rejection: null, choice: null })
  }, [session])
  const edgeHandlers = useMemo(
    () => ({
      onEdgeMouseEnter: (_: unknown, edge: { id: string }) =>
        useHighlightedEdge.setState({ pointed: edge.id }),
      onEdgeMouseLeave: () => useHighlightedEdge.setState({ pointed: null }),
    }),
    [],
  )
  const editable = session.canEdit
  const onDoubleClick = useCallback(
    ({ target, clientX: x, clientY: y }: MouseEvent) => {
      if (!editable || !(target as Element).classList.contains('react-flow__pane')) return
      const at = session.viewport?.toFlowPosition({ x, y }) ?? { x, y }
      session.view.setState({ palette: { at, screen: { x, y }, from: null } })
    },
    [session, editable],
  )
  // A field keeps the browser's own menu: it has the spelling and the clipboard.
  const onContextMenu = (event: MouseEvent) => {
    const { target, clientX: x, clientY: y } = event
    if (!editable || isTyping(target) || !(target instanceof Element)) return
    event.preventDefault()
    openMenuAt(session, target, { x, y })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its menu also opens by key, for the focused element
    <div
      ref={root}
      data-region="canvas"
      aria-busy={opening !== null || undefined}
      data-many-running={many || undefined}
      onContextMenu={onContextMenu}
      onPointerDownCapture={onPress}
      className="absolute inset-0"
    >
      <i data-edge="before" tabIndex={-1} />
      <ReactFlow
        aria-label={t('label', { name })}
        nodes={opening ?? surface.nodes}
        edges={opening || map ? NO_EDGES : surface.edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={surface.onNodesChange}
        onEdgesChange={surface.onEdgesChange}
        {...connecting}
        {...tapping}
        {...drag}
        {...edgeHandlers}
        {...(editable && drop)}
        onDoubleClick={onDoubleClick}
        viewport={live.held}
        onViewportChange={live.change}
        onMove={onMove}
        onMoveStart={closePopups}
        connectionLineComponent={ConnectionLine}
        connectionMode={ConnectionMode.Strict}
        connectionRadius={26}
        connectionDragThreshold={4}
        paneClickDistance={6}
        nodeClickDistance={6}
        nodesDraggable={editable}
        nodesConnectable={editable}
        edgesReconnectable={editable}
        deleteKeyCode={null}
        disableKeyboardA11y
        edgesFocusable={false}
        multiSelectionKeyCode={null}
        selectionKeyCode="Shift"
        selectionMode={SelectionMode.Partial}
        panOnScroll
        zoomOnDoubleClick={false}
        zoomActivationKeyCode={ZOOM_KEY}
        minZoom={0.06}
        maxZoom={2}
        onlyRenderVisibleElements
        proOptions={{ hideAttribution: true }}
      >
        <LiveViewportContext value={live}>
          {map ? <OverviewEdges nodes={surface.nodes} edges={surface.edges} /> : <Dots />}
          <GuideLines guides={surface.guides} />
          {minimap && <Minimap nodes={surface.nodes} isWide={editable} />}
        </LiveViewportContext>
      </ReactFlow>
      <i data-edge="behind" tabIndex={-1} />
      <p id={CARD_HINT_ID} hidden>
        {words('node.hint')}
      </p>
      <Deferred>
        <EmptyCanvas />
        <RejectionNotice />
        <ConnectingNotice />
        {editable && <EdgeDropNotice />}
        <EdgeDropChooser />
        {editable && <FileDrop />}
        <Panels />
      </Deferred>
    </div>
  )
}

/** What opens over the canvas. */
function Panels() {
  const hasMenu = useView((view) => view.menu !== null)
  const isMasking = useView((view) => view.masking !== null)
  return (
    <>
      {hasMenu && <ContextMenu />}
      {isMasking && <MaskPanel />}
      <ConnectDialog />
      <InsertDialog />
      <FindDialog />
      <SwapDialog />
      <AgentDialog />
      <AgentInputsDialog />
      <AgentUpdateDialog />
      <TemplateDialog />
    </>
  )
}

/** Handles a node type dropped from the palette: adds a node, or inserts it into the edge at that point. */
function useDrop({ latest, latestEdges }: ReturnType<typeof useCanvasElements>) {
  const session = useSession()
  const onDragOver = useCallback((event: DragEvent) => {
    if (!event.dataTransfer.types.includes(NODE_DRAG_TYPE)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
  }, [])
  const onDrop = useCallback(
    (event: DragEvent) => {
      const type = session.catalog.type(event.dataTransfer.getData(NODE_DRAG_TYPE))
      if (!type) return
      event.preventDefault()
      const at = session.viewport?.toFlowPosition({ x: event.clientX, y: event.clientY }) ?? { x: 0, y: 0 }
      const id = insertNode(session, type, { x: at.x - 116, y: at.y - 21 }, 'drop')
      const edge = nearestEdge(at, latestEdges.current, cardsOf(latest.current), id)
      if (edge) session.edit((document) => insertInto(document, session.catalog, edge, id), 'drop')
      session.flow.settle()
    },
    [session, latest, latestEdges],
  )
  return { onDragOver, onDrop }
}
