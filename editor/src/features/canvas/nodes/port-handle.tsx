import { Handle, Position } from '@xyflow/react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { disconnectPort } from '@/document/actions'
import { useDocument, useSession, useView } from '@/document/use-session'
import { edgesAt, nameEnd } from '@/graph/connect'
import type { End } from '@/graph/document'
import { describePort, type Port } from '@/graph/ports'
import { classes } from '@/lib/classes'
import { colorOfType, textColorClass } from '@/lib/type-colors'
import { portY } from '../interactions/card-geometry'

type PortHandleProps = {
  node: string
  port: Port
  side: 'source' | 'target'
  at: number
  /** Whether its card is selected; the port is then labelled and reachable by Tab. */
  near: boolean
  /** Whether its card runs once per item, so that its output is a list. */
  isMapped?: boolean
}

/** A port on the side of a card: drag from it, drop on it, click it, or open it with Enter. */
export const PortHandle = memo(function PortHandle({
  node,
  port,
  side,
  at,
  near,
  isMapped,
}: PortHandleProps) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const fit = useView(({ connecting }) => fitOf(connecting, node, port.name, side))
  const list = port.list || (isMapped ?? false)
  const words = { title: port.title, type: describePort({ type: port.type, list }) }
  const name = side === 'target' ? t('port.input', words) : t('port.output', words)
  const wired = useConnectedEnds({ node, port: port.name }, side, side === 'target' && port.required)
  const { t: keys } = useTranslation('keyboard')
  const open = () =>
    session.view.setState({ port: { end: { node, port: port.name }, side }, dialog: 'connect' })
  return (
    <Handle
      id={port.name}
      type={side}
      position={side === 'target' ? Position.Left : Position.Right}
      isConnectable={session.canEdit}
      role="button"
      aria-label={[
        `${name}.`,
        wired.words,
        session.canEdit && keys(wired.count > 0 ? 'port.hintFed' : 'port.hint'),
      ]
        .filter(Boolean)
        .join(' ')}
      tabIndex={near && session.canEdit ? 0 : -1}
      style={{ top: portY(at) }}
      onKeyDown={(event) => {
        const removes = event.key === 'Delete' || event.key === 'Backspace'
        if (!removes && event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        if (!removes || wired.count > 1) open()
        else if (wired.count === 1) disconnectPort(session, { node, port: port.name }, side)
      }}
      className={classes(
        'port group/port',
        textColorClass[colorOfType(port.type)],
        list && 'list',
        fit === 'fits' && 'fits',
        fit === 'dimmed' && 'dimmed',
      )}
    >
      <span
        aria-hidden
        className={classes(
          'pointer-events-none absolute top-1/2 z-10 hidden -translate-y-1/2 whitespace-nowrap rounded-s border border-hairline bg-surface px-1.5 py-0.5 text-ink text-micro shadow-card group-hover/port:block',
          side === 'target' ? 'right-4' : 'left-4',
          (near || fit === 'fits') && 'block',
        )}
      >
        {port.title}
      </span>
    </Handle>
  )
})

/** A description of the connections of a port. */
function useConnectedEnds(end: End, side: 'source' | 'target', required: boolean) {
  const { t } = useTranslation('keyboard')
  const { catalog } = useSession()
  const joined = useDocument((flow) => {
    const edges = edgesAt(flow, catalog, end, side)
    const others = edges.map(({ from, to }) =>
      side === 'source' ? nameEnd(flow, catalog, to, 'target') : nameEnd(flow, catalog, from, 'source'),
    )
    return others.map((other) => t('port.end', { ...other })).join(SEPARATOR)
  })
  const ends = joined ? joined.split(SEPARATOR) : []
  const free = t(required ? 'port.missing' : 'port.free')
  return { count: ends.length, words: joined ? t('port.connected', { ends: ends.join(', ') }) : free }
}

const SEPARATOR = '\n'

type Connecting = ReturnType<ReturnType<typeof useSession>['view']['getState']>['connecting']

function fitOf(connecting: Connecting, node: string, port: string, side: 'source' | 'target') {
  if (!connecting) return 'idle'
  if (connecting.end.node === node && connecting.end.port === port && connecting.side === side) return 'idle'
  return connecting.accepts.has(`${side}:${node}.${port}`) ? 'fits' : 'dimmed'
}
