import { Columns2, Download, FolderMinus, FolderPlus, Sparkle, Star, Tag, Trash2, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'

type SelectionBarProps = {
  count: number
  busy: boolean
  /** Whether all selected assets are favourites. */
  favourite: boolean
  onFavourite: () => void
  onTag: () => void
  onCollect: () => void
  /** Only while a collection is shown. */
  onUncollect: (() => void) | undefined
  onCompare: () => void
  /** Unless only texts are selected. */
  onSend: (() => void) | undefined
  onDownload: () => void
  onDelete: () => void
  onClear: () => void
}

/** Floats while assets are selected. */
export function SelectionBar({ count, busy, favourite, onUncollect, ...actions }: SelectionBarProps) {
  const { t } = useTranslation('assets')
  if (count === 0) return null
  return (
    <div
      role="toolbar"
      aria-label={t('selected', { count })}
      className="-translate-x-1/2 fixed bottom-5 left-1/2 z-30 flex max-w-[calc(100vw-24px)] animate-appear items-center gap-1.5 rounded-xl border border-hairline bg-surface p-1.5 shadow-float max-md:w-[calc(100vw-24px)] max-md:flex-wrap max-md:justify-center"
    >
      <span role="status" className="px-2.5 font-[550] tabular-nums max-md:flex-1">
        {t('selected', { count })}
      </span>
      <IconButton
        size="sm"
        label={t('clearSelection')}
        icon={<X />}
        onClick={actions.onClear}
        className="md:order-last"
      />
      <span className="basis-full md:hidden" />
      <IconButton
        size="sm"
        side="top"
        label={t('favourite')}
        aria-pressed={favourite}
        icon={<Star className={favourite ? 'fill-ochre text-ochre' : ''} />}
        onClick={actions.onFavourite}
      />
      <IconButton size="sm" side="top" label={t('tags')} icon={<Tag />} onClick={actions.onTag} />
      <IconButton
        size="sm"
        side="top"
        label={t('addToCollection')}
        icon={<FolderPlus />}
        onClick={actions.onCollect}
      />
      {onUncollect && (
        <IconButton
          size="sm"
          side="top"
          label={t('removeFromCollection')}
          icon={<FolderMinus />}
          onClick={onUncollect}
        />
      )}
      {count === 2 && (
        <IconButton
          size="sm"
          side="top"
          label={t('compare')}
          icon={<Columns2 />}
          onClick={actions.onCompare}
        />
      )}
      {actions.onSend && (
        <Button size="sm" variant="ghost" onClick={actions.onSend}>
          <Sparkle aria-hidden />
          {t('send')}
        </Button>
      )}
      <Button size="sm" variant="ghost" busy={busy} onClick={actions.onDownload}>
        <Download aria-hidden />
        {t('download')}
      </Button>
      <Button size="sm" variant="ghost" className="text-madder-text" onClick={actions.onDelete}>
        <Trash2 aria-hidden />
        {t('delete')}
      </Button>
    </div>
  )
}
