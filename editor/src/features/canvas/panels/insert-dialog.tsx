import { Waypoints } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { selectedEdges } from '@/document/actions'
import { useSession, useView } from '@/document/use-session'
import { edgeId, type FlowEdge } from '@/graph/document'
import { nameEnd } from '@/graph/port-edges'
import { InsertChoices } from './insert-choices'
import { SearchItem, SearchList } from './search-list'

/** Inserting a node without a mouse: into the connection that is chosen, or into one at the chosen card. */
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

/** Where there are several connections, which of them comes first. */
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
    <SearchList label={words('insert.which')} none={t('connect.none')}>
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
