import type { TFunction } from 'i18next'
import {
  freePlaceFor,
  nodesForMode,
  pinForNode,
  selectedNode,
  toggleMode,
  togglePin,
} from '@/document/actions'
import { openComparison } from '@/document/comparison'
import { canMask, imagesOf } from '@/document/mask-actions'
import type { Session } from '@/document/session'
import { updateOf } from '@/graph/agent-updates'
import { findNode, formatEnd } from '@/graph/document'
import { GAP } from '@/graph/edits/free-place'
import { canPin } from '@/graph/pins'
import { outputPorts } from '@/graph/ports'
import type { Command } from './command'
import { dissolveSelected } from './dissolve-selected'
import { openMenuAt } from './menu-request'
import { run } from './start-run'

/** The commands for the one selected node. */
export function nodeCommands(session: Session, t: TFunction<'canvas'>): Omit<Command, 'aims'>[] {
  const { view } = session
  const node = () => selectedNode(session)
  const one = () => node() !== undefined
  const start = (isFresh: boolean) => {
    const id = node()?.id
    if (id) void run(session, t, { targets: [id], ...(isFresh && { fresh: [id] }) })
  }
  return [
    {
      id: 'runTo',
      label: t('menu.runTo'),
      keys: 'mod+shift+enter',
      always: true,
      edits: true,
      when: one,
      run: () => start(false),
    },
    {
      id: 'runOnly',
      label: t('menu.runOnly'),
      keys: 'alt+enter',
      always: true,
      edits: true,
      when: one,
      run: () => start(true),
    },
    {
      id: 'compare',
      label: t('menu.compare'),
      keys: 'c',
      edits: true,
      when: one,
      run: () => {
        const id = node()?.id
        if (id) openComparison(session, id)
      },
    },
    {
      id: 'pin',
      label: t(node()?.pin ? 'menu.unpin' : 'menu.pin'),
      keys: 'p',
      edits: true,
      when: () => {
        const chosen = node()
        return chosen !== undefined && (chosen.pin !== undefined || pinForNode(session, chosen) !== null)
      },
      refusal: () => {
        const chosen = node()
        return (
          chosen && t(canPin(chosen, session.catalog) ? 'menu.refused.noResult' : 'menu.refused.pinInput')
        )
      },
      run: () => togglePin(session),
    },
    {
      id: 'mask',
      label: t('menu.mask'),
      keys: 'e',
      edits: true,
      when: () => canMask(session) && imageOf(session) !== undefined,
      run: () => {
        const masking = imageOf(session)
        if (masking) view.setState({ masking })
      },
    },
    {
      ...modeCommand(session, 'bypassed', {
        id: 'bypass',
        keys: 'b',
        on: t('menu.unbypass'),
        off: t('menu.bypass'),
      }),
      refusal: () => bypassRefusal(session, t),
    },
    modeCommand(session, 'disabled', {
      id: 'disable',
      keys: 'd',
      on: t('menu.enable'),
      off: t('menu.disable'),
    }),
    {
      id: 'follow',
      label: t('menu.follow'),
      edits: true,
      when: () => outputsOf(session).length > 0,
      refusal: () => node() && t('menu.refused.noOutput'),
      run: () => addBehind(session),
    },
    {
      id: 'updateAgent',
      label: t('agentUpdate.command'),
      edits: true,
      when: () => {
        const chosen = node()
        return chosen !== undefined && updateOf(chosen, session.catalog) !== null
      },
      run: () => view.open('agentUpdate'),
    },
    {
      id: 'openInside',
      label: t('menu.openInside'),
      keys: 'o',
      when: () => innerAgentOf(session) !== null,
      refusal: () => agentRefusal(session, t),
      run: () => {
        const agent = innerAgentOf(session)
        if (agent) session.openInside?.(agent)
      },
    },
    { id: 'swap', label: t('menu.swap'), edits: true, when: one, run: () => view.open('swap') },
    {
      id: 'toAgent',
      label: t('menu.toAgent'),
      keys: 'a',
      edits: true,
      when: () => session.view.getState().nodes.some((id) => findNode(session.document, id)),
      run: () => view.open('agent'),
    },
    {
      id: 'dissolve',
      label: t('menu.dissolve'),
      edits: true,
      when: () => innerAgentOf(session) !== null,
      refusal: () => agentRefusal(session, t),
      run: () => void dissolveSelected(session, t),
    },
    {
      id: 'menu',
      label: t('menu.open'),
      keys: 'm',
      edits: true,
      run: () => openMenuAt(session, window.document.activeElement),
    },
  ]
}

type ModeWords = { id: string; keys: string; on: string; off: string }

function modeCommand(
  session: Session,
  mode: 'disabled' | 'bypassed',
  { id, keys, on, off }: ModeWords,
): Omit<Command, 'aims'> {
  const nodes = nodesForMode(session, mode)
  return {
    id,
    label: nodes.length > 0 && nodes.every((node) => node.mode === mode) ? on : off,
    keys,
    edits: true,
    when: () => nodesForMode(session, mode).length > 0,
    run: () => toggleMode(session, mode),
  }
}

/** Why none of the selected nodes can be bypassed. */
function bypassRefusal({ view, document, catalog }: Session, t: TFunction<'canvas'>): string | undefined {
  const chosen = new Set(view.getState().nodes)
  const nodes = document.nodes.filter(({ id }) => chosen.has(id))
  if (nodes.length === 0) return undefined
  const types = nodes.map((node) => catalog.typeOf(node))
  if (types.every((type) => type?.inputs.length === 0)) {
    return t('menu.refused.bypassInput', { count: nodes.length })
  }
  if (types.every((type) => type?.subflow)) return t('menu.refused.bypassAgent')
  return t('menu.refused.bypass', { count: nodes.length })
}

/** Why the agent that the selected node runs cannot be opened. */
function agentRefusal(session: Session, t: TFunction<'canvas'>): string | undefined {
  const node = selectedNode(session)
  return node && session.catalog.subflowOf(node) !== null ? t('menu.refused.agent') : undefined
}

/** The first image that the selected node gives. */
function imageOf(session: Session) {
  const node = selectedNode(session)
  return node && imagesOf(session, node)[0]
}

/** The agent that the selected node runs, if the user can read it. */
function innerAgentOf(session: Session): string | null {
  const node = selectedNode(session)
  const agent = node && session.catalog.subflowOf(node)
  return agent && session.hasAgentPorts(agent) ? agent : null
}

function outputsOf(session: Session) {
  const node = selectedNode(session)
  return node ? outputPorts(node, session.catalog.typeOf(node)) : []
}

/** Opens the palette right of the selected card, for its first output without an edge. */
function addBehind(session: Session): void {
  const node = selectedNode(session)
  const outputs = outputsOf(session)
  if (!node || !outputs[0]) return
  const used = new Set(session.document.edges.map((edge) => edge.from))
  const free = outputs.find((port) => !used.has(formatEnd({ node: node.id, port: port.name })))
  const end = { node: node.id, port: (free ?? outputs[0]).name }
  const { width } = session.sizeOf(node.id)
  const place = { x: node.position.x + width + 2 * GAP, y: node.position.y }
  const at = freePlaceFor(session, place)
  const screen = session.viewport?.toScreenPosition(at) ?? at
  // The palette places the new card this much above the point where an edge is dropped.
  session.view.setState({
    palette: { at: { x: at.x, y: at.y + DROP_OFFSET }, screen, from: { end, side: 'source' } },
  })
}

const DROP_OFFSET = 50
