import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-tile'
import { insertIntoEdge, moveIntoEdge } from '@/document/actions'
import { useSession } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import type { FlowEdge } from '@/graph/document'
import { addInto, freeFor } from '@/graph/edits/edges'
import { nameEnd } from '@/graph/port-edges'
import { SearchItem, SearchList } from './search-list'

const INTO = 'insert-into'

/** The nodes that fit into a connection: those that lie free already, and those that could be added. */
export function InsertChoices({ edge, close }: { edge: FlowEdge; close: () => void }) {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const { document, catalog } = session
  const { free, types } = useMemo(() => {
    const fits = (type: (typeof catalog.types)[number]) =>
      !type.deprecated && addInto(document, catalog, edge, type, { x: 0, y: 0 }) !== null
    return { free: freeFor(document, catalog, edge), types: catalog.types.filter(fits) }
  }, [document, catalog, edge])
  const then = (act: () => void) => () => {
    close()
    act()
  }
  return (
    <div>
      <p id={INTO} className="mb-3 text-muted text-sm">
        {words('insert.into', {
          from: nameEnd(document, catalog, edge.from, 'source').node,
          to: nameEnd(document, catalog, edge.to, 'target').node,
        })}
      </p>
      <SearchList label={words('insert.search')} none={words('insert.none')} describedBy={INTO}>
        {free.map((node) => (
          <SearchItem
            key={node.id}
            value={`${titleOf(node, catalog)} ${node.id}`}
            onSelect={then(() => moveIntoEdge(session, node.id, edge))}
            icon={<NodeTile type={catalog.typeOf(node)} />}
            aside={words('insert.free')}
          >
            {titleOf(node, catalog)}
          </SearchItem>
        ))}
        {types.map((type) => (
          <SearchItem
            key={type.id}
            value={`${t('connect.fresh')} ${type.title}`}
            onSelect={then(() => insertIntoEdge(session, type, edge))}
            icon={<NodeTile type={type} />}
            aside={t('connect.fresh')}
          >
            {type.title}
          </SearchItem>
        ))}
      </SearchList>
    </div>
  )
}
