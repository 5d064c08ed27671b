import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { NodeTile } from '@/components/node/node-appearance'
import { selectedNode, swapNodeType } from '@/document/actions'
import { toastWithUndo } from '@/document/undo-toast'
import { useSession, useView } from '@/document/use-session'
import type { NodeType } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import { swapChoices } from '@/graph/edits/swap'
import { toast } from '@/lib/toasts'
import { nodeFilter, typeValue } from './node-filter'
import { SearchItem, SearchList } from './search-list'

/** Swaps the selected node for one of another type. */
export function SwapDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((state) => state.dialog === 'swap')
  const node = open ? selectedNode(session) : undefined
  return (
    <Dialog
      open={node !== undefined}
      onOpenChange={() => session.view.open(null)}
      title={t('swap.title', { title: node ? titleOf(node, session.catalog) : '' })}
      description={t('swap.text')}
      size="sm"
    >
      {node && <Choices id={node.id} />}
    </Dialog>
  )
}

function Choices({ id }: { id: string }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { document, catalog } = session
  const types = useMemo(() => swapChoices(document, catalog, id), [document, catalog, id])
  const filter = useMemo(() => nodeFilter(types), [types])
  const swap = (type: NodeType) => {
    session.view.open(null)
    const { document: after, lostEdges, lostSettings } = swapNodeType(session, id, type)
    if (lostEdges + lostSettings === 0) return
    const notice = {
      title: t('swap.done', { type: type.title }),
      description: [
        lostEdges > 0 && t('swap.edges', { count: lostEdges }),
        lostSettings > 0 && t('swap.settings', { count: lostSettings }),
      ]
        .filter(Boolean)
        .join(' '),
      duration: 10_000,
    }
    if (session.document === after) toastWithUndo(session, notice)
    else toast(notice)
  }
  return (
    <SearchList label={t('swap.search')} none={t('swap.none')} filter={filter}>
      {types.map((type) => (
        <SearchItem
          key={type.id}
          value={typeValue(type)}
          onSelect={() => swap(type)}
          icon={<NodeTile type={type} />}
        >
          {type.title}
        </SearchItem>
      ))}
    </SearchList>
  )
}
