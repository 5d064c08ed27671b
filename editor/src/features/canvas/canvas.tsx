import {
  Background,
  BackgroundVariant,
  ConnectionMode,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  type Viewport,
} from '@xyflow/react'
import { type DragEvent, useCallback, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { add } from '@/document/actions'
import { NODE_TYPE } from '@/document/drag'
import { useDocument, useSession, useView } from '@/document/use-session'
import { insertInto } from '@/graph/edits/edges'
import { classes } from '@/lib/classes'
import { pigmentOf, pigmentVariable } from '@/lib/pigments'
import { Card } from './cards/card'
import { GroupFrame } from './cards/group-frame'
import { NoteCard } from './cards/note-card'
import { ConnectDialog } from './chrome/connect-dialog'
import { EmptyCanvas } from './chrome/empty-canvas'
import { FileDrop } from './chrome/file-drop'
import { InsertDialog } from './chrome/insert-dialog'
import { LinkingNotice } from './chrome/linking-notice'
import { RefusalNotice } from './chrome/refusal-notice'
import { SelectionBar } from './chrome/selection-bar'
import { useKeyboard } from './commands/use-keyboard'
import { FlowEdge } from './edges/flow-edge'
import { hotEdge } from './edges/hot-edge'
import { LooseEdge } from './edges/loose-edge'
import { MapEdges } from './map/map-edges'
import { useMap, useMeasuredPorts } from './map/use-map'
import { useManyRunning } from './run/use-many'
import { edgeNear } from './surface/edge-near'
import type { SurfaceEdge } from './surface/edges'
import { GuideLines } from './surface/guide-lines'
import { HINT, type SurfaceNode } from './surface/nodes'
import { useConnecting } from './surface/use-connecting'
import { cardsOf, useDrag } from './surface/use-drag'
import { useStage } from './surface/use-stage'
import { useSurface } from './surface/use-surface'
import { useTapping } from './surface/use-tapping'
import './canvas.css'

const nodeTypes = { card: Card, note: NoteCard, group: GroupFrame }
const edgeTypes = { flow: FlowEdge }
const NONE: SurfaceEdge[] = []

/** The page on which an agent is built. */
export function Canvas() {
  return (
    <ReactFlowProvider>
      <Surface />
    </ReactFlowProvider>
  )
}

function Surface() {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const root = useRef<HTMLDivElement>(null)
  const name = useDocument((flow) => flow.name)
  const minimap = useView((view) => view.minimap)
  const surface = useSurface()
  const connecting = useConnecting()
  const tapping = useTapping()
  const drag = useDrag(surface.clearGuides)
  const drop = useDrop(surface.latest)
  const many = useManyRunning()
  const map = useMap()
  useMeasuredPorts(map)
  useStage(root)
  useKeyboard(root)
  const onMove = useCallback(
    (_: unknown, { zoom }: Viewport) => {
      if (session.view.getState().zoom !== zoom) session.view.setState({ zoom })
    },
    [session],
  )
  const closePopups = useCallback(() => session.view.setState({ palette: null, refusal: null }), [session])
  const edgeHandlers = useMemo(
    () => ({
      onEdgeMouseEnter: (_: unknown, edge: { id: string }) => hotEdge.setState({ pointed: edge.id }),
      onEdgeMouseLeave: () => hotEdge.setState({ pointed: null }),
    }),
    [],
  )
  const editable = session.canEdit
  return (
    <div ref={root} data-region="canvas" data-many={many || undefined} className="absolute inset-0">
      <i data-edge="before" tabIndex={-1} />
      <ReactFlow
        aria-label={t('label', { name })}
        nodes={surface.nodes}
        edges={map ? NONE : surface.edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={surface.onNodesChange}
        onEdgesChange={surface.onEdgesChange}
        {...connecting}
        {...tapping}
        {...drag}
        {...edgeHandlers}
        {...(editable && drop)}
        onMove={onMove}
        onMoveStart={closePopups}
        connectionLineComponent={LooseEdge}
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
        multiSelectionKeyCode={['Shift', 'Meta', 'Control']}
        selectionKeyCode="Shift"
        selectionMode={SelectionMode.Partial}
        panOnScroll
        zoomOnDoubleClick={false}
        minZoom={0.06}
        maxZoom={2}
        onlyRenderVisibleElements
        proOptions={{ hideAttribution: true }}
      >
        {map ? (
          <MapEdges nodes={surface.nodes} edges={surface.edges} />
        ) : (
          <Background variant={BackgroundVariant.Dots} gap={22} size={2} color="var(--hairline-strong)" />
        )}
        <GuideLines guides={surface.guides} />
        {minimap && (
          <MiniMap
            pannable
            zoomable
            ariaLabel={t('tools.minimap')}
            nodeColor={minimapColour}
            nodeStrokeWidth={0}
            nodeBorderRadius={24}
            position="bottom-left"
            className={classes(
              '!m-0 !bottom-[calc(16px+var(--dock-height,0px))] overflow-hidden rounded-m border border-hairline shadow-card max-lg:!hidden',
              editable ? '!left-[264px]' : '!left-4',
            )}
            style={{ width: 148, height: 96 }}
          />
        )}
      </ReactFlow>
      <i data-edge="behind" tabIndex={-1} />
      <p id={HINT} hidden>
        {words('card.hint')}
      </p>
      <EmptyCanvas />
      <SelectionBar />
      <RefusalNotice />
      <LinkingNotice />
      {editable && <FileDrop />}
      <ConnectDialog />
      <InsertDialog />
    </div>
  )
}

function minimapColour(node: SurfaceNode): string {
  if (node.type === 'note') return 'var(--ochre)'
  if (node.type === 'group') return 'var(--sunken)'
  return pigmentVariable[pigmentOf(node.data.outputs[0]?.type ?? 'Any')]
}

/** A type dragged here from the palette becomes a node; let go on an edge, it is set into it. */
function useDrop(latest: { readonly current: readonly SurfaceNode[] }) {
  const session = useSession()
  const onDragOver = useCallback((event: DragEvent) => {
    if (!event.dataTransfer.types.includes(NODE_TYPE)) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
  }, [])
  const onDrop = useCallback(
    (event: DragEvent) => {
      const type = session.catalogue.type(event.dataTransfer.getData(NODE_TYPE))
      if (!type) return
      event.preventDefault()
      const at = session.stage?.at({ x: event.clientX, y: event.clientY }) ?? { x: 0, y: 0 }
      const id = add(session, type, { x: at.x - 116, y: at.y - 21 }, 'drop')
      const edge = edgeNear(at, session.document, cardsOf(latest.current), id)
      if (edge) session.edit((document) => insertInto(document, session.catalogue, edge, id), 'drop')
      session.flow.settle()
    },
    [session, latest],
  )
  return { onDragOver, onDrop }
}
