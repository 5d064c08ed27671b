import { Handle, Position } from '@xyflow/react'
import { type KeyboardEvent, memo } from 'react'
import { disconnectPort } from '@/document/edge-actions'
import { useDocument, useSession, useView } from '@/document/use-session'
import { portY } from '@/graph/card-size'
import { edgesAt, nameEnd } from '@/graph/connect'
import type { End } from '@/graph/document'
import { describePort, type Port } from '@/graph/ports'
import { classes } from '@/lib/classes'
import { i18n } from '@/lib/i18n'
import { colorOfType, textColorClass } from '@/lib/type-colors'

type PortHandleProps = {
  node: string
  port: Port
  side: 'source' | 'target'
  at: number
  /** Whether its card is selected; the port is then reachable by Tab. */
  near: boolean
  /** Whether there is no port on the other side of its row. */
  wide: boolean
  /** Whether its card is too far away for labels to be read. */
  isFar: boolean
  /** Whether its card runs once per item, so that its output is a list. */
  isMapped?: boolean
}

/** The border of a card, from whose inner side its ports are placed. */
const BORDER = 1

/** A port on the side of a card: drag from it, drop on it, click it, or open it with Enter. */
export const PortHandle = memo(function PortHandle({
  node,
  port,
  side,
  at,
  near,
  wide,
  isFar,
  isMapped,
}: PortHandleProps) {
  const session = useSession()
  const fit = useView(({ connecting }) => fitOf(connecting, node, port.name, side))
  const edgeDrop = useView((view) =>
    view.edgeDrop?.node === node && view.edgeDrop.port === port.name && view.edgeDrop.side === side
      ? view.edgeDrop.tone
      : null,
  )
  const list = port.list || (isMapped ?? false)
  const words = { title: port.title, type: describePort({ type: port.type, list }) }
  const name = side === 'target' ? i18n.t('canvas:port.input', words) : i18n.t('canvas:port.output', words)
  const wired = useConnectedEnds({ node, port: port.name }, side, side === 'target' && port.required)
  const hint = session.canEdit && i18n.t(wired.count > 0 ? 'keyboard:port.hintFed' : 'keyboard:port.hint')
  const open = () =>
    session.view.setState({ port: { end: { node, port: port.name }, side }, dialog: 'connect' })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const removes = event.key === 'Delete' || event.key === 'Backspace'
    if (!removes && event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (!removes || wired.count > 1) open()
    else if (wired.count === 1) disconnectPort(session, { node, port: port.name }, side)
  }
  return (
    <Handle
      id={port.name}
      type={side}
      position={side === 'target' ? Position.Left : Position.Right}
      isConnectable={session.canEdit}
      role="button"
      aria-label={[`${name}.`, wired.words, hint].filter(Boolean).join(' ')}
      tabIndex={near && session.canEdit ? 0 : -1}
      style={{ top: portY(at) - BORDER, [side === 'target' ? 'left' : 'right']: -BORDER }}
      onKeyDown={onKeyDown}
      className={classes(
        'port group/port',
        textColorClass[colorOfType(port.type)],
        list && 'list',
        port.kind === 'setting' && 'hollow',
        port.kind !== 'setting' && wired.count === 0 && 'free',
        fit,
        edgeDrop && `edge-drop edge-drop-${edgeDrop}`,
      )}
    >
      {!isFar && (
        <PortLabel
          port={port}
          side={side}
          list={list}
          wide={wide}
          strong={fit === 'fits'}
          from={wired.nodes}
        />
      )}
    </Handle>
  )
})

type PortLabelProps = {
  port: Port
  side: 'source' | 'target'
  list: boolean
  wide: boolean
  strong: boolean
  /** The titles of the nodes that it is connected to. */
  from: string
}

/** The name of a port, inside its card; for a setting also what drives it. */
function PortLabel({ port, side, list, wide, strong, from }: PortLabelProps) {
  const isSetting = port.kind === 'setting'
  // An output that is only called so says more by its type.
  const title = port.name === 'output' ? describePort({ type: port.type, list }) : port.title
  return (
    <span
      aria-hidden
      className={classes(
        'pointer-events-none absolute top-1/2 -translate-y-1/2 truncate whitespace-nowrap legible-s text-muted group-hover/port:z-10 group-hover/port:max-w-none group-hover/port:bg-surface group-hover/port:text-ink',
        side === 'target' ? 'left-[14px] text-left' : 'right-[14px] text-right',
        wide ? 'max-w-[205px]' : 'max-w-[98px]',
        (strong || isSetting) && 'text-ink',
      )}
    >
      {title}
      {isSetting && <span className="ml-1.5 text-muted">{from}</span>}
    </span>
  )
}

/** A description of the connections of a port. */
function useConnectedEnds(end: End, side: 'source' | 'target', required: boolean) {
  const { catalog } = useSession()
  const joined = useDocument((flow) => {
    const edges = edgesAt(flow, catalog, end, side)
    const others = edges.map(({ from, to }) =>
      side === 'source' ? nameEnd(flow, catalog, to, 'target') : nameEnd(flow, catalog, from, 'source'),
    )
    const ends = others.map((other) => i18n.t('keyboard:port.end', { ...other })).join(SEPARATOR)
    return [ends, others.map(({ node }) => node).join(', ')].join(PART)
  })
  const [text = '', nodes = ''] = joined.split(PART)
  const ends = text ? text.split(SEPARATOR) : []
  const free = i18n.t(required ? 'keyboard:port.missing' : 'keyboard:port.free')
  return {
    count: ends.length,
    nodes,
    words: text ? i18n.t('keyboard:port.connected', { ends: ends.join(', ') }) : free,
  }
}

const SEPARATOR = '\n'
const PART = '\n\n'

type Connecting = ReturnType<ReturnType<typeof useSession>['view']['getState']>['connecting']

function fitOf(connecting: Connecting, node: string, port: string, side: 'source' | 'target') {
  if (!connecting) return 'idle'
  if (connecting.end.node === node && connecting.end.port === port && connecting.side === side) return 'idle'
  return connecting.accepts.has(`${side}:${node}.${port}`) ? 'fits' : 'dimmed'
}
