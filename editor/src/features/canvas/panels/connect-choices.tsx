import { Unlink, Waypoints } from 'lucide-react'
import { Fragment, type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-tile'
import { PortDot } from '@/components/port-dot'
import { addTo, link, roomFor } from '@/document/actions'
import type { Session } from '@/document/session'
import { useSession } from '@/document/use-session'
import { fits } from '@/graph/connect'
import { type End, type FlowEdge, findNode, formatEnd } from '@/graph/document'
import { disconnect } from '@/graph/edits/edges'
import { edgesAt, nameEnd } from '@/graph/port-edges'
import type { Port } from '@/graph/ports'
import { opposite, type Side } from '../interactions/accepting-ports'
import { Refusal } from './connect-rejection'
import { connectionsOf, type Fitting, type Refused } from './connection-candidates'
import { InsertChoices } from './insert-choices'
import { Choice, ChoiceList } from './search-list'

type ChoicesProps = { end: End; side: Side; port: Port; close: () => void }

/** What a port may be joined to, found by typing; one that does not fit says why when it is chosen. */
export function ConnectChoices({ end, side, port, close }: ChoicesProps) {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const [refusal, setRefusal] = useState<Refused | null>(null)
  const [into, setInto] = useState<FlowEdge | null>(null)
  const { document, catalogue } = session
  const { fitting, refused } = useMemo(() => connectionsOf(session, end, side), [session, end, side])
  const types = useMemo(() => typesFor(session, port, side), [session, port, side])
  const then = (act: () => void) => () => {
    close()
    act()
  }
  if (refusal) return <Refusal refused={refusal} onBack={() => setRefusal(null)} close={close} />
  if (into) return <InsertChoices edge={into} close={close} />
  return (
    <ChoiceList label={t('connect.search')} none={t('connect.none')}>
      {edgesAt(document, catalogue, end, side).map((edge) => {
        const other = side === 'source' ? edge.to : edge.from
        const named = words('port.end', { ...nameEnd(document, catalogue, other, opposite(side)) })
        return (
          <Fragment key={other}>
            <Choice
              value={`${t('connect.remove')} ${other} ${named}`}
              onSelect={then(() => session.edit((flow) => disconnect(flow, edge)))}
              icon={<Unlink className="size-4 text-muted" />}
            >
              {words('connect.disconnect', { end: named })}
            </Choice>
            <Choice
              value={`${t('connect.insert')} ${other} ${named}`}
              onSelect={() => setInto(edge)}
              icon={<Waypoints className="size-4 text-muted" />}
            >
              {words(side === 'source' ? 'connect.before' : 'connect.behind', { end: named })}
            </Choice>
          </Fragment>
        )
      })}
      {fitting.map((one) => (
        <PortChoice
          key={formatEnd(one.other)}
          one={one}
          onSelect={then(() => link(session, one.from, one.to))}
        >
          <Meaning one={one} />
        </PortChoice>
      ))}
      {types.map((type) => (
        <Choice
          key={type.id}
          value={`${t('connect.fresh')} ${type.title}`}
          onSelect={then(() => addTo(session, type, beside(session, end, side), { end, side }))}
          icon={<NodeTile type={type} />}
          aside={t('connect.fresh')}
        >
          {type.title}
        </Choice>
      ))}
      {refused.map((one) => (
        <PortChoice key={formatEnd(one.other)} one={one} onSelect={() => setRefusal(one)}>
          {words('connect.refused')}
        </PortChoice>
      ))}
    </ChoiceList>
  )
}

type PortChoiceProps = { one: Fitting | Refused; onSelect: () => void; children: ReactNode }

function PortChoice({ one, onSelect, children }: PortChoiceProps) {
  const { node, port, other } = one
  return (
    <Choice
      value={`${node} ${port.title} ${formatEnd(other)}`}
      onSelect={onSelect}
      icon={<PortDot type={port.type} list={port.list} />}
      aside={children}
    >
      {node} <span className="text-muted">{port.title}</span>
    </Choice>
  )
}

/** What joining the two would mean beyond the joining. */
function Meaning({ one }: { one: Fitting }) {
  const { t } = useTranslation('keyboard')
  const { document, catalogue } = useSession()
  const given = one.replaces && nameEnd(document, catalogue, one.replaces.from, 'source').node
  const told = [
    one.becomes && t('connect.converted', { type: one.becomes }),
    one.once && t('connect.once'),
    given && t('connect.replaces', { title: given }),
  ]
  return told.filter(Boolean).join(', ')
}

function typesFor({ catalogue }: Session, port: Port, side: Side) {
  return catalogue.types.filter(
    (type) =>
      !type.deprecated &&
      (side === 'source'
        ? type.inputs.some((other) => fits(port, other, catalogue))
        : type.outputs.some((other) => fits(other, port, catalogue))),
  )
}

/** Where a node made for this port goes: a column further, in the direction in which work flows. */
function beside(session: Session, end: End, side: Side) {
  const { x, y } = findNode(session.document, end.node)?.position ?? { x: 0, y: 0 }
  return roomFor(session, { x: x + (side === 'source' ? 320 : -320), y })
}
