import { Waypoints } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { NodeTile } from '@/components/node/node-appearance'
import { selectedEdges } from '@/document/actions'
import { insertIntoEdge, moveIntoEdge } from '@/document/edge-actions'
import { useSession, useView } from '@/document/use-session'
import { nameEnd, titleOf } from '@/graph/connect'
import { edgeId, type FlowEdge } from '@/graph/document'
import { addInto, freeFor } from '@/graph/edits/edges'
import { nodeFilter, typeValue } from './node-filter'
import { SearchItem, SearchList } from './search-list'

/** Inserts a node by keyboard: into the selected connection, or into one of the selected card. */
export function InsertDialog() {
  const { t } = useTranslation('keyboard')
  const { view } = useSession()
  const open = useView((state) => state.dialog === 'insert')
  const close = () => view.open(null)
  return (
    <Dialog open={open} onOpenChange={(next) => !next && close()} title={t('insert.title')} size="sm">
      <Choices close={close} />
    </Dialog>
  )
}

/** Asks first which connection, if there are several. */
function Choices({ close }: { close: () => void }) {
  const session = useSession()
  const [edges] = useState(() => selectedEdges(session))
  const [into, setInto] = useState<FlowEdge | undefined>(edges.length === 1 ? edges[0] : undefined)
  return into ? <InsertChoices edge={into} close={close} /> : <Edges edges={edges} onChoose={setInto} />
}

function Edges({ edges, onChoose }: { edges: readonly FlowEdge[]; onChoose: (edge: FlowEdge) => void }) {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const { document, catalog } = useSession()
  const named = (end: string, side: 'source' | 'target') =>
    words('port.end', { ...nameEnd(document, catalog, end, side) })
  const label = ({ from, to }: FlowEdge) =>
    t('edge.label', { from: named(from, 'source'), to: named(to, 'target') })
  return (
    <SearchList label={words('insert.searchConnections')} none={t('connect.none')}>
      {edges.map((edge) => (
        <SearchItem
          key={edgeId(edge)}
          value={`${label(edge)} ${edgeId(edge)}`}
          onSelect={() => onChoose(edge)}
          icon={<Waypoints className="size-4 text-muted" />}
        >
          {label(edge)}
        </SearchItem>
      ))}
    </SearchList>
  )
}

const INTO = 'insert-into'

/** The nodes that fit into a connection: unconnected existing ones and new ones. */
export function InsertChoices({ edge, close }: { edge: FlowEdge; close: () => void }) {
  const { t } = useTranslation('canvas')
  const { t: words } = useTranslation('keyboard')
  const session = useSession()
  const { document, catalog } = session
  const { free, types, filter } = useMemo(() => {
    const fits = (type: (typeof catalog.types)[number]) =>
      !type.deprecated && addInto(document, catalog, edge, type, { x: 0, y: 0 }) !== null
    const types = catalog.types.filter(fits)
    return { free: freeFor(document, catalog, edge), types, filter: nodeFilter(types) }
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
      <SearchList
        label={words('insert.search')}
        none={words('insert.none')}
        describedBy={INTO}
        filter={filter}
      >
        {free.map((node) => (
          <SearchItem
            key={node.id}
            value={`${titleOf(node, catalog)} ${node.id}`}
            onSelect={then(() => moveIntoEdge(session, node.id, edge))}
            icon={<NodeTile type={catalog.typeOf(node)} />}
            aside={words('insert.onCanvas')}
          >
            {titleOf(node, catalog)}
          </SearchItem>
        ))}
        {types.map((type) => (
          <SearchItem
            key={type.id}
            value={typeValue(type)}
            onSelect={then(() => insertIntoEdge(session, type, edge))}
            icon={<NodeTile type={type} />}
            aside={t('connect.newNode')}
          >
            {type.title}
          </SearchItem>
        ))}
      </SearchList>
    </div>
  )
}
