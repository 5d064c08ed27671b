import { CircleAlert, Unlink, Waypoints } from 'lucide-react'
import { Fragment, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { NodeTile } from '@/components/node/node-appearance'
import { PortDot } from '@/components/type-icon'
import { freePlaceFor } from '@/document/actions'
import { insertBridge, insertConnectedNode } from '@/document/edge-actions'
import type { Session } from '@/document/session'
import { useSession, useView } from '@/document/use-session'
import { edgesAt, isCompatible, nameEnd } from '@/graph/connect'
import { type End, type FlowEdge, findNode, formatEnd } from '@/graph/document'
import { disconnect } from '@/graph/edits/edges'
import { type Port, portAt } from '@/graph/ports'
import { typeLabel } from '@/lib/humanize'
import { opposite, type Side } from '../interactions/connection-target'
import { connectWithNotice } from '../interactions/replacement-notice'
import {
  type CompatibleCandidate,
  connectionCandidates,
  type RejectedCandidate,
} from './connection-candidates'
import { InsertChoices } from './insert-dialog'
import { nodeFilter, typeValue } from './node-filter'
import { RejectionText } from './rejection-text'
import { SearchItem, SearchList } from './search-list'

/** Connects by keyboard: lists the ports and new nodes that accept this port, and why others do not. */
export function ConnectDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((view) => view.dialog === 'connect')
  const from = useView((view) => view.port)
  const node = from && findNode(session.document, from.end.node)
  const port = from && portAt(node ?? undefined, session.catalog, from.end, from.side)
  if (!from || !port) return null
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.open(next ? 'connect' : null)}
      title={t('connect.title', { port: port.title })}
      size="sm"
    >
      <ConnectChoices end={from.end} side={from.side} port={port} close={() => session.view.open(null)} />
    </Dialog>
  )
}

type ChoicesProps = { end: End; side: Side; port: Port; close: () => void }

/** A searchable list of candidate ports; selecting one that does not fit shows the reason. */
export function ConnectChoices({ end, side, port, close }: ChoicesProps) {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const [rejection, setRejection] = useState<RejectedCandidate | null>(null)
  const [into, setInto] = useState<FlowEdge | null>(null)
  const { document, catalog } = session
  const { fitting, refused } = useMemo(() => connectionCandidates(session, end, side), [session, end, side])
  const types = useMemo(() => typesFor(session, port, side), [session, port, side])
  const filter = useMemo(() => nodeFilter(types), [types])
  const then = (act: () => void) => () => {
    close()
    act()
  }
  if (rejection)
    return <ConnectRejection candidate={rejection} onBack={() => setRejection(null)} close={close} />
  if (into) return <InsertChoices edge={into} close={close} />
  return (
    <SearchList label={t('connect.search')} none={t('connect.none')} filter={filter}>
      {edgesAt(document, catalog, end, side).map((edge) => {
        const other = side === 'source' ? edge.to : edge.from
        const named = words('port.end', { ...nameEnd(document, catalog, other, opposite(side)) })
        return (
          <Fragment key={other}>
            <SearchItem
              value={`${t('connect.remove')} ${other} ${named}`}
              onSelect={then(() => session.edit((flow) => disconnect(flow, edge)))}
              icon={<Unlink className="size-4 text-muted" />}
            >
              {words('connect.disconnect', { end: named })}
            </SearchItem>
            <SearchItem
              value={`${t('connect.insert')} ${other} ${named}`}
              onSelect={() => setInto(edge)}
              icon={<Waypoints className="size-4 text-muted" />}
            >
              {words(side === 'source' ? 'connect.before' : 'connect.behind', { end: named })}
            </SearchItem>
          </Fragment>
        )
      })}
      {fitting.map((one) => (
        <PortChoice
          key={formatEnd(one.other)}
          one={one}
          onSelect={then(() => connectWithNotice(session, one.from, one.to))}
        >
          <ConnectionEffect one={one} />
        </PortChoice>
      ))}
      {types.map((type) => (
        <SearchItem
          key={type.id}
          value={typeValue(type)}
          onSelect={then(() =>
            insertConnectedNode(session, type, placeBeside(session, end, side), { end, side }),
          )}
          icon={<NodeTile type={type} />}
          aside={t('connect.newNode')}
        >
          {type.title}
        </SearchItem>
      ))}
      {refused.map((one) => (
        <PortChoice key={formatEnd(one.other)} one={one} onSelect={() => setRejection(one)}>
          {words('connect.refused')}
        </PortChoice>
      ))}
    </SearchList>
  )
}

type PortChoiceProps = {
  one: CompatibleCandidate | RejectedCandidate
  onSelect: () => void
  children: ReactNode
}

function PortChoice({ one, onSelect, children }: PortChoiceProps) {
  const { node, port, other } = one
  return (
    <SearchItem
      value={`${node} ${port.title} ${formatEnd(other)}`}
      onSelect={onSelect}
      icon={<PortDot type={port.type} list={port.list} />}
      aside={children}
    >
      {node} <span className="text-muted">{port.title}</span>
    </SearchItem>
  )
}

/** The side effects of a connection. */
function ConnectionEffect({ one }: { one: CompatibleCandidate }) {
  const { t } = useTranslation('keyboard')
  const { t: words } = useTranslation('canvas')
  const { document, catalog } = useSession()
  const given = one.replaces && nameEnd(document, catalog, one.replaces.from, 'source').node
  const effects = [
    one.port.kind === 'setting' && words('edgeDrop.setting'),
    one.becomes && t('connect.converted', { type: typeLabel(one.becomes) }),
    one.once && t('connect.once'),
    given && t('connect.replaces', { title: given }),
  ]
  return effects.filter(Boolean).join(', ')
}

function typesFor({ catalog }: Session, port: Port, side: Side) {
  return catalog.types.filter(
    (type) =>
      !type.deprecated &&
      (side === 'source'
        ? type.inputs.some((other) => isCompatible(port, other, catalog))
        : type.outputs.some((other) => isCompatible(other, port, catalog))),
  )
}

/** The position of a node created for this port: one column further in flow direction. */
function placeBeside(session: Session, end: End, side: Side) {
  const { x, y } = findNode(session.document, end.node)?.position ?? { x: 0, y: 0 }
  return freePlaceFor(session, { x: x + (side === 'source' ? 320 : -320), y })
}

type ConnectRejectionProps = { candidate: RejectedCandidate; onBack: () => void; close: () => void }

/** Why two ports do not fit, and the nodes that can be inserted between them. */
export function ConnectRejection({ candidate: refused, onBack, close }: ConnectRejectionProps) {
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const { from, to, reason, bridges } = refused
  const between = () => {
    const target = findNode(session.document, to.node)?.position ?? { x: 0, y: 0 }
    return { x: target.x - 320, y: target.y }
  }
  return (
    <div className="flex flex-col gap-4">
      <div role="alert" className="flex items-start gap-2.5 rounded-m bg-sunken p-3.5">
        <CircleAlert aria-hidden className="mt-0.5 size-4 text-madder" />
        <RejectionText reason={reason} />
      </div>
      <div className="flex flex-col gap-1.5">
        {bridges.map((by, at) => (
          <Button
            key={by.type}
            autoFocus={at === 0}
            className="justify-start"
            onClick={() => {
              close()
              insertBridge(session, from, to, by, between())
            }}
          >
            <NodeTile type={session.catalog.type(by.type)} className="size-5" />
            {words('connect.insert', { title: by.title })}
          </Button>
        ))}
        <Button variant="ghost" autoFocus={bridges.length === 0} className="self-start" onClick={onBack}>
          {words('connect.back')}
        </Button>
      </div>
    </div>
  )
}
