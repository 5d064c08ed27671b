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
import { pigmentOf, pigmentVariable } from '@/lib/type-colors'
import { useKeyboard } from './commands/use-keyboard'
import { LooseEdge } from './edges/connection-line'
import { FlowEdge } from './edges/flow-edge'
import { hotEdge } from './edges/highlighted-edge'
import type { SurfaceEdge } from './interactions/flow-edges'
import { HINT, type SurfaceNode } from './interactions/flow-nodes'
import { GuideLines } from './interactions/guide-lines'
import { edgeNear } from './interactions/nearest-edge'
import { useSurface } from './interactions/use-canvas-elements'
import { useConnecting } from './interactions/use-connecting'
import { cardsOf, useDrag } from './interactions/use-drag'
import { useTapping } from './interactions/use-tap-connecting'
import { useStage } from './interactions/use-viewport-insets'
import { Card } from './nodes/card'
import { GroupFrame } from './nodes/group-frame'
import { NoteCard } from './nodes/note-card'
import { MapEdges } from './overview/overview-edges'
import { useMap, useMeasuredPorts } from './overview/use-overview'
import { ConnectDialog } from './panels/connect-dialog'
import { LinkingNotice } from './panels/connecting-notice'
import { EmptyCanvas } from './panels/empty-canvas'
import { FileDrop } from './panels/file-drop'
import { InsertDialog } from './panels/insert-dialog'
import { RefusalNotice } from './panels/rejection-notice'
import { SelectionBar } from './panels/selection-bar'
import { useManyRunning } from './run/use-many-running'
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
