import { StickyNote } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'
import { NodeTile } from '@/components/node/node-appearance'
import { useSession, useView } from '@/document/use-session'
import { findOnCanvas } from '@/graph/find'
import { SearchItem, SearchList } from './search-list'

/** Finds nodes and notes of the open agent by their titles, types and texts, and goes to one. */
export function FindDialog() {
  const { t } = useTranslation('canvas')
  const { view } = useSession()
  const open = useView((state) => state.dialog === 'find')
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => view.open(next ? 'find' : null)}
      title={t('find.title')}
      size="sm"
    >
      <Finder />
    </Dialog>
  )
}

function Finder() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { document, catalog, view } = session
  const [query, setQuery] = useState('')
  const found = useMemo(() => findOnCanvas(document, catalog, query), [document, catalog, query])
  const goTo = (id: string) => {
    view.open(null)
    view.show(id)
    session.viewport?.focusNode(id)
  }
  return (
    <SearchList label={t('find.label')} none={t('find.none')} query={query} onQuery={setQuery}>
      {found.map(({ id, title, text, type }) => (
        <SearchItem
          key={id}
          value={id}
          onSelect={() => goTo(id)}
          icon={type === null ? <StickyNote className="size-4 text-ochre-text" /> : <NodeTile type={type} />}
          aside={text}
        >
          {title || t('note.label')}
        </SearchItem>
      ))}
    </SearchList>
  )
}
