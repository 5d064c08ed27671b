import { ImageUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useFileDrop } from '../interactions/use-file-drop'

/** Files over the canvas: the paper stays in sight, since where they are let go is where they will lie. */
export function FileDrop() {
  const { t } = useTranslation('canvas')
  const { over, uploading } = useFileDrop()
  if (!over && !uploading) return null
  return (
    <>
      {over && (
        <div className="pointer-events-none fixed inset-1.5 z-30 animate-fade rounded-xl border-2 border-cobalt border-dashed" />
      )}
      <div
        role="status"
        className="pointer-events-none fixed bottom-8 left-1/2 z-30 flex -translate-x-1/2 animate-appear items-center gap-2.5 rounded-pill border border-hairline bg-surface px-4 py-2.5 font-[550] text-sm shadow-float"
      >
        <ImageUp aria-hidden className="size-4 text-cobalt" />
        {uploading ? t('files.uploading', { name: uploading }) : t('files.drop')}
      </div>
    </>
  )
}
