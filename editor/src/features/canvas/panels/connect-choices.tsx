import { Unlink, Waypoints } from 'lucide-react'
import { Fragment, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-tile'
import { PortDot } from '@/components/port-dot'
import { connectPorts, freePlaceFor, insertConnectedNode } from '@/document/actions'
import type { Session } from '@/document/session'
import { useSession } from '@/document/use-session'
import { isCompatible } from '@/graph/connect'
import { type End, type FlowEdge, findNode, formatEnd } from '@/graph/document'
import { disconnect } from '@/graph/edits/edges'
import { edgesAt, nameEnd } from '@/graph/port-edges'
import type { Port } from '@/graph/ports'
import { opposite, type Side } from '../interactions/accepting-ports'
import { ConnectRejection } from './connect-rejection'
import {
  type CompatibleCandidate,
  connectionCandidates,
  type RejectedCandidate,
} from './connection-candidates'
import { InsertChoices } from './insert-choices'
import { SearchItem, SearchList } from './search-list'

type ChoicesProps = { end: End; side: Side; port: Port; close: () => void }

/** What a port may be joined to, found by typing; one that does not fit says why when it is chosen. */
export function ConnectChoices({ end, side, port, close }: ChoicesProps) {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const [rejection, setRejection] = useState<RejectedCandidate | null>(null)
  const [into, setInto] = useState<FlowEdge | null>(null)
  const { document, catalog } = session
  const { fitting, refused } = useMemo(() => connectionCandidates(session, end, side), [session, end, side])
  const types = useMemo(() => typesFor(session, port, side), [session, port, side])
  const then = (act: () => void) => () => {
    close()
    act()
  }
  if (rejection)
    return <ConnectRejection candidate={rejection} onBack={() => setRejection(null)} close={close} />
  if (into) return <InsertChoices edge={into} close={close} />
  return (
    <SearchList label={t('connect.search')} none={t('connect.none')}>
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
          onSelect={then(() => connectPorts(session, one.from, one.to))}
        >
          <Meaning one={one} />
        </PortChoice>
      ))}
      {types.map((type) => (
        <SearchItem
          key={type.id}
          value={`${t('connect.fresh')} ${type.title}`}
          onSelect={then(() => insertConnectedNode(session, type, beside(session, end, side), { end, side }))}
          icon={<NodeTile type={type} />}
          aside={t('connect.fresh')}
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

/** What joining the two would mean beyond the joining. */
function Meaning({ one }: { one: CompatibleCandidate }) {
  const { t } = useTranslation('keyboard')
  const { document, catalog } = useSession()
  const given = one.replaces && nameEnd(document, catalog, one.replaces.from, 'source').node
  const told = [
    one.becomes && t('connect.converted', { type: one.becomes }),
    one.once && t('connect.once'),
    given && t('connect.replaces', { title: given }),
  ]
  return told.filter(Boolean).join(', ')
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

/** Where a node made for this port goes: a column further, in the direction in which work flows. */
function beside(session: Session, end: End, side: Side) {
  const { x, y } = findNode(session.document, end.node)?.position ?? { x: 0, y: 0 }
  return freePlaceFor(session, { x: x + (side === 'source' ? 320 : -320), y })
}
