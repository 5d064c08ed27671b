import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Folder, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem } from '@/components/menu'
import { collectionsQuery, deleteCollection } from '@/lib/api/collections'
import { withUndo } from '@/lib/with-undo'
import { RenameCollectionDialog } from './collection-dialogs'

type CollectionHeadingProps = { id: string; onDeleted: () => void }

/** The name of the shown collection, and its actions. */
export function CollectionHeading({ id, onDeleted }: CollectionHeadingProps) {
  const { t } = useTranslation('assets')
  const { data = [] } = useQuery(collectionsQuery)
  const [renaming, setRenaming] = useState(false)
  const collection = data.find((one) => one.id === id)
  if (!collection) return null
  const { name } = collection
  function remove() {
    withUndo({
      ids: [id],
      title: t('collectionDeleted', { name }),
      failed: t('collectionDeleteFailed'),
      commit: (leaving) => deleteCollection(id, leaving),
    })
    onDeleted()
  }
  return (
    <div className="mt-5 flex items-center gap-2.5">
      <Folder aria-hidden className="size-5 flex-none text-muted" />
      <h2 className="wrap-anywhere min-w-0 font-serif text-title">{name}</h2>
      <span className="flex-none text-muted text-sm">{t('inCollection', { count: collection.assets })}</span>
      <Menu trigger={<IconButton size="sm" label={t('moreOf', { name })} icon={<Ellipsis />} />}>
        <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setRenaming(true)}>
          {t('rename')}
        </MenuItem>
        <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={remove}>
          {t('deleteCollection')}
        </MenuItem>
      </Menu>
      {renaming && <RenameCollectionDialog collection={collection} onClose={() => setRenaming(false)} />}
    </div>
  )
}
