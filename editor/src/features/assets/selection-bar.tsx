import { Download, Sparkle, Trash2, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'

type SelectionBarProps = {
  count: number
  busy: boolean
  onSend: () => void
  onDownload: () => void
  onDelete: () => void
  onClear: () => void
}

/** Floats while assets are selected. */
export function SelectionBar({ count, busy, onSend, onDownload, onDelete, onClear }: SelectionBarProps) {
  const { t } = useTranslation('assets')
  if (count === 0) return null
  return (
    <div
      role="toolbar"
      aria-label={t('selected', { count })}
      className="-translate-x-1/2 fixed bottom-5 left-1/2 z-30 flex max-w-[calc(100vw-24px)] animate-appear items-center gap-1.5 rounded-xl border border-hairline bg-surface p-1.5 shadow-float max-sm:w-[calc(100vw-24px)] max-sm:flex-wrap max-sm:[&>button]:flex-1"
    >
      <span role="status" className="px-2.5 font-[550] tabular-nums max-sm:flex-1">
        {t('selected', { count })}
      </span>
      <IconButton
        size="sm"
        label={t('clearSelection')}
        icon={<X />}
        onClick={onClear}
        className="sm:order-last max-sm:flex-none!"
      />
      <span className="basis-full sm:hidden" />
      <Button size="sm" variant="ghost" onClick={onSend}>
        <Sparkle aria-hidden />
        {t('send')}
      </Button>
      <Button size="sm" variant="ghost" busy={busy} onClick={onDownload}>
        <Download aria-hidden />
        {t('download')}
      </Button>
      <Button size="sm" variant="ghost" className="text-madder-text" onClick={onDelete}>
        <Trash2 aria-hidden />
        {t('delete')}
      </Button>
    </div>
  )
}
