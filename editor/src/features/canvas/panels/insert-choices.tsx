import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-tile'
import { addBetween, setBetween } from '@/document/actions'
import { useSession } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import type { FlowEdge } from '@/graph/document'
import { addInto, freeFor } from '@/graph/edits/edges'
import { nameEnd } from '@/graph/port-edges'
import { Choice, ChoiceList } from './search-list'

const INTO = 'insert-into'

/** The nodes that fit into a connection: those that lie free already, and those that could be added. */
export function InsertChoices({ edge, close }: { edge: FlowEdge; close: () => void }) {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const { document, catalogue } = session
  const { free, types } = useMemo(() => {
    const fits = (type: (typeof catalogue.types)[number]) =>
      !type.deprecated && addInto(document, catalogue, edge, type, { x: 0, y: 0 }) !== null
    return { free: freeFor(document, catalogue, edge), types: catalogue.types.filter(fits) }
  }, [document, catalogue, edge])
  const then = (act: () => void) => () => {
    close()
    act()
  }
  return (
    <div>
      <p id={INTO} className="mb-3 text-muted text-sm">
        {words('insert.into', {
          from: nameEnd(document, catalogue, edge.from, 'source').node,
          to: nameEnd(document, catalogue, edge.to, 'target').node,
        })}
      </p>
      <ChoiceList label={words('insert.search')} none={words('insert.none')} describedBy={INTO}>
        {free.map((node) => (
          <Choice
            key={node.id}
            value={`${titleOf(node, catalogue)} ${node.id}`}
            onSelect={then(() => setBetween(session, node.id, edge))}
            icon={<NodeTile type={catalogue.typeOf(node)} />}
            aside={words('insert.free')}
          >
            {titleOf(node, catalogue)}
          </Choice>
        ))}
        {types.map((type) => (
          <Choice
            key={type.id}
            value={`${t('connect.fresh')} ${type.title}`}
            onSelect={then(() => addBetween(session, type, edge))}
            icon={<NodeTile type={type} />}
            aside={t('connect.fresh')}
          >
            {type.title}
          </Choice>
        ))}
      </ChoiceList>
    </div>
  )
}
