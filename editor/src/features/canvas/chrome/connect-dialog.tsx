import { Command as Menu } from 'cmdk'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { NodeTile } from '@/components/node/node-tile'
import { itemLook } from '@/components/panel'
import { PortDot } from '@/components/port-dot'
import { addTo, link } from '@/document/actions'
import type { Session } from '@/document/session'
import { useSession, useView } from '@/document/use-session'
import { fits, titleOf } from '@/graph/connect'
import { type End, findNode, formatEnd } from '@/graph/document'
import { disconnect } from '@/graph/edits/edges'
import { inputPorts, outputPorts, type Port, portAt } from '@/graph/ports'
import { acceptsOf, opposite, type Side } from '../surface/accepts'

/** Connecting without a mouse: every port and every new node that would take this one. */
export function ConnectDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((view) => view.sheet === 'connect')
  const from = useView((view) => view.port)
  const node = from && findNode(session.document, from.end.node)
  const port = from && portAt(node ?? undefined, session.catalogue, from.end, from.side)
  if (!from || !port) return null
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.open(next ? 'connect' : null)}
      title={t('connect.title', { port: port.title })}
      size="sm"
    >
      <Choices end={from.end} side={from.side} port={port} close={() => session.view.open(null)} />
    </Dialog>
  )
}

type ChoicesProps = { end: End; side: Side; port: Port; close: () => void }

function Choices({ end, side, port, close }: ChoicesProps) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { document, catalogue } = session
  const edges = document.edges.filter((edge) => edge[side === 'source' ? 'from' : 'to'] === formatEnd(end))
  const ports = portsFor(session, end, side)
  const types = catalogue.types.filter(
    (type) =>
      !type.deprecated &&
      (side === 'source'
        ? type.inputs.some((other) => fits(port, other, catalogue))
        : type.outputs.some((other) => fits(other, port, catalogue))),
  )
  const then = (act: () => void) => () => {
    close()
    act()
    session.stage?.focusNode(end.node)
  }
  return (
    <Menu label={t('connect.search')} loop>
      <Menu.Input
        autoFocus
        placeholder={t('connect.search')}
        className="mb-2 h-10 w-full rounded-field border border-hairline-strong bg-surface px-3 focus-visible:field-focus"
      />
      <Menu.List className="scrollbar-quiet max-h-80 overflow-y-auto">
        <Menu.Empty className="px-3 py-6 text-center text-muted">{t('connect.none')}</Menu.Empty>
        {edges.map((edge) => (
          <Menu.Item
            key={`${edge.from}>${edge.to}`}
            value={`${t('connect.remove')} ${edge.from} ${edge.to}`}
            onSelect={then(() => session.edit((flow) => disconnect(flow, edge)))}
            className={itemLook}
          >
            {t('connect.remove')}: {edge[side === 'source' ? 'to' : 'from']}
          </Menu.Item>
        ))}
        {ports.map(({ other, title, found }) => (
          <Menu.Item
            key={formatEnd(other)}
            value={`${title} ${found.title} ${other.node}`}
            onSelect={then(() => (side === 'source' ? link(session, end, other) : link(session, other, end)))}
            className={itemLook}
          >
            <PortDot type={found.type} list={found.list} />
            <span className="flex-1 truncate">
              {title} <span className="text-muted">{found.title}</span>
            </span>
          </Menu.Item>
        ))}
        {types.map((type) => (
          <Menu.Item
            key={type.id}
            value={`${t('connect.fresh')} ${type.title}`}
            onSelect={then(() => addTo(session, type, beside(session, end, side), { end, side }))}
            className={itemLook}
          >
            <NodeTile type={type} />
            <span className="flex-1 truncate">{type.title}</span>
            <span className="text-muted text-xs">{t('connect.fresh')}</span>
          </Menu.Item>
        ))}
      </Menu.List>
    </Menu>
  )
}

function portsFor(session: Session, end: End, side: Side) {
  const { document, catalogue } = session
  const accepts = acceptsOf(document, catalogue, end, side)
  return document.nodes.flatMap((node) => {
    const type = catalogue.typeOf(node)
    const candidates = side === 'source' ? inputPorts(node, type) : outputPorts(node, type)
    return candidates.flatMap((found) => {
      const other = { node: node.id, port: found.name }
      const fit = accepts.has(`${opposite(side)}:${formatEnd(other)}`)
      return fit ? [{ other, found, title: titleOf(node, catalogue) }] : []
    })
  })
}

/** Where a node made for this port goes: a column further, in the direction in which work flows. */
function beside(session: Session, end: End, side: Side) {
  const { x, y } = findNode(session.document, end.node)?.position ?? { x: 0, y: 0 }
  return { x: x + (side === 'source' ? 320 : -320), y }
}
