import type { TFunction } from 'i18next'
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  ArrowRightToLine,
  Boxes,
  Brush,
  CircleArrowUp,
  CircleSlash,
  Clipboard,
  Columns3,
  Copy,
  CopyPlus,
  FolderOpen,
  Group,
  LayoutTemplate,
  LogIn,
  Maximize,
  MousePointerClick,
  Network,
  Pin,
  Play,
  Plus,
  Redo2,
  Replace,
  Scissors,
  Search,
  SkipForward,
  SquareDashedMousePointer,
  StickyNote,
  Trash2,
  Ungroup,
  Unlink,
  Waypoints,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { insertNote } from '@/document/actions'
import { disconnectPort } from '@/document/edge-actions'
import { canMask, imagesOf } from '@/document/mask-actions'
import type { Session } from '@/document/session'
import type { MenuRequest } from '@/document/view-store'
import { updateOf } from '@/graph/agent-updates'
import { edgesAt, nameEnd } from '@/graph/connect'
import { edgeId, findNode, parseEnd } from '@/graph/document'
import { setExposed } from '@/graph/edits/nodes'
import { exposableFields } from '@/graph/setting-fields'

/** An action that only the context menu has. */
interface Action {
  readonly label: string
  readonly icon: ReactNode
  readonly run: () => void
  /** Why it is not available, as a sentence. */
  readonly refusal?: string | undefined
}

/** A line that opens a menu of its own. */
interface Choices {
  readonly label: string
  readonly icon: ReactNode
  readonly choices: readonly { readonly name: string; readonly label: string; readonly run: () => void }[]
}

/** One line of a context menu: the id of a command, or what only the menu has. */
export type Entry = string | Action | Choices

type Words = TFunction<'canvas'>

export const commandIcons: Readonly<Record<string, ReactNode>> = {
  runTo: <SkipForward />,
  runOnly: <Play />,
  compare: <Columns3 />,
  pin: <Pin />,
  mask: <Brush />,
  bypass: <Redo2 />,
  disable: <CircleSlash />,
  follow: <Plus />,
  updateAgent: <CircleArrowUp />,
  openInside: <FolderOpen />,
  swap: <Replace />,
  toAgent: <Boxes />,
  dissolve: <Ungroup />,
  alignLeft: <AlignStartVertical />,
  alignCentre: <AlignCenterVertical />,
  alignRight: <AlignEndVertical />,
  alignTop: <AlignStartHorizontal />,
  alignMiddle: <AlignCenterHorizontal />,
  alignBottom: <AlignEndHorizontal />,
  across: <AlignHorizontalDistributeCenter />,
  down: <AlignVerticalDistributeCenter />,
  group: <Group />,
  ungroup: <Ungroup />,
  copy: <Copy />,
  cut: <Scissors />,
  paste: <Clipboard />,
  duplicate: <CopyPlus />,
  delete: <Trash2 />,
  insert: <Waypoints />,
  tidy: <Network />,
  templates: <LayoutTemplate />,
  find: <Search />,
  selectAll: <SquareDashedMousePointer />,
  fit: <Maximize />,
}

const COPIES = ['copy', 'cut', 'duplicate']
const ALIGNMENTS = ['alignLeft', 'alignCentre', 'alignRight', 'alignTop', 'alignMiddle', 'alignBottom']

/** The lines of a context menu, in groups. */
export function entriesOf(request: MenuRequest, session: Session, t: Words): Entry[][] {
  switch (request.target) {
    case 'card':
      return [
        ['runTo', 'runOnly', 'compare'],
        ...(runsAgent(session)
          ? [[...(isOutdated(session) ? ['updateAgent'] : []), 'openInside', 'dissolve']]
          : []),
        ['pin', ...(hasImage(session) ? ['mask'] : []), 'bypass', 'disable'],
        [...agentInputs(session, t), 'follow', 'swap', 'toAgent'],
        ['group', ...COPIES],
        ['delete'],
      ]
    case 'selection':
      return [
        ['bypass', 'disable'],
        ['group', 'toAgent', 'tidy'],
        ALIGNMENTS,
        ['across', 'down'],
        COPIES,
        ['delete'],
      ]
    case 'note':
      return [['delete']]
    case 'group':
      return [['ungroup'], COPIES]
    case 'edge':
      return [['insert'], endActions(session, t), ['delete']]
    case 'port':
      return [portActions(request, session, t)]
    case 'canvas':
      return [canvasEntries(request, session, t), ['find', 'selectAll'], ['tidy', 'fit']]
  }
}

function runsAgent({ view, document, catalog }: Session): boolean {
  const node = findNode(document, view.getState().nodes[0] ?? '')
  return node !== undefined && catalog.subflowOf(node) !== null
}

function isOutdated({ view, document, catalog }: Session): boolean {
  const node = findNode(document, view.getState().nodes[0] ?? '')
  return node !== undefined && updateOf(node, catalog) !== null
}

function hasImage(session: Session): boolean {
  const node = findNode(session.document, session.view.getState().nodes[0] ?? '')
  return node !== undefined && canMask(session) && imagesOf(session, node).length > 0
}

/** Offers the settings of the selected node that can become inputs of the agent. */
function agentInputs(session: Session, t: Words): Choices[] {
  const { document, catalog, view } = session
  const node = findNode(document, view.getState().nodes[0] ?? '')
  const type = node && catalog.typeOf(node)
  if (!type || !session.canEdit) return []
  const ends = document.edges.map(({ to }) => parseEnd(to)).filter((end) => end.node === node.id)
  const fields = exposableFields(node, type, new Set(ends.map(({ port }) => port)))
  if (fields.length === 0) return []
  const choices = fields.map(({ name, title }) => ({
    name,
    label: title,
    run: () => {
      session.edit((flow) => setExposed(flow, node.id, name, {}))
      session.flow.settle()
    },
  }))
  return [{ label: t('menu.makeInput'), icon: <LogIn />, choices }]
}

function canvasEntries({ screen }: MenuRequest, session: Session, t: Words): Entry[] {
  const at = session.viewport?.toFlowPosition(screen) ?? screen
  return [
    {
      label: t('menu.addNode'),
      icon: <Plus />,
      run: () => session.view.setState({ palette: { at, screen, from: null } }),
    },
    { label: t('tools.note'), icon: <StickyNote />, run: () => insertNote(session, at) },
    'templates',
    'paste',
  ]
}

/** Leads to the two cards of the selected edge. */
function endActions(session: Session, t: Words): Action[] {
  const { document, catalog, view } = session
  const edge = document.edges.find((one) => view.getState().edges.includes(edgeId(one)))
  if (!edge) return []
  const ends = [
    { end: edge.from, side: 'source', icon: <ArrowRightToLine className="-scale-x-100" /> },
    { end: edge.to, side: 'target', icon: <ArrowRightToLine /> },
  ] as const
  return ends.map(({ end, side, icon }) => ({
    label: t('problems.goTo', { title: nameEnd(document, catalog, end, side).node }),
    icon,
    run: () => {
      const { node } = parseEnd(end)
      view.show(node)
      session.viewport?.focusNode(node)
    },
  }))
}

function portActions({ port, screen }: MenuRequest, session: Session, t: Words): Action[] {
  if (!port) return []
  const { view } = session
  const edges = edgesAt(session.document, session.catalog, port.end, port.side)
  const refusal = edges.length === 0 ? t('menu.refused.unconnected') : undefined
  const at = session.viewport?.toFlowPosition(screen) ?? screen
  return [
    {
      label: t('menu.connect'),
      icon: <MousePointerClick />,
      run: () => view.setState({ port, dialog: 'connect' }),
    },
    {
      label: t('menu.addNode'),
      icon: <Plus />,
      run: () => view.setState({ palette: { at, screen, from: port } }),
    },
    {
      label: t('connect.insert'),
      icon: <Waypoints />,
      refusal,
      run: () => {
        view.select([], edges.map(edgeId))
        view.open('insert')
      },
    },
    {
      label: t('connect.remove'),
      icon: <Unlink />,
      refusal,
      run: () => disconnectPort(session, port.end, port.side),
    },
  ]
}
