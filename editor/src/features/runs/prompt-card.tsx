import { Pencil } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Card, ScrollRegion } from '@/components/surfaces'
import type { Asset } from '@/lib/api/assets'

type PromptCardProps = {
  prompt: string
  images: readonly (Asset | undefined)[]
  /** Null when the agent was deleted and cannot be launched again. */
  onEdit: (() => void) | null
}

/** The prompt of the run, with buttons that launch it again. */
export function PromptCard({ prompt, images, onEdit }: PromptCardProps) {
  const { t } = useTranslation('runs')
  return (
    <Card className="flex flex-wrap items-center gap-3.5 px-5 py-4 text-[16px] max-sm:px-4">
      {images.slice(0, 3).map((asset, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: images keep the order in which they were given.
        <span key={index} className="size-10 flex-none overflow-hidden rounded-field bg-sunken">
          {asset && (
            <img
              src={asset.thumbnail_url ?? asset.url}
              alt={asset.name ?? ''}
              className="size-full object-cover"
            />
          )}
        </span>
      ))}
      <PromptText prompt={prompt} />
      {onEdit && (
        <Button size="sm" onClick={onEdit} className="max-sm:w-full">
          <Pencil aria-hidden />
          {t('editRelaunch')}
        </Button>
      )}
    </Card>
  )
}

/** A long prompt scrolls, so that the results stay visible. */
const MAX_UNSCROLLED_CHARACTERS = 700

function PromptText({ prompt }: { prompt: string }) {
  const { t } = useTranslation('runs')
  const look = 'min-w-0 flex-1 wrap-anywhere whitespace-pre-line max-sm:min-w-[60%]'
  if (!prompt) return <p className={`${look} text-muted`}>{t('noPrompt')}</p>
  const words = (
    <p dir="auto" className={look}>
      {prompt}
    </p>
  )
  if (prompt.length < MAX_UNSCROLLED_CHARACTERS && prompt.split('\n').length < 9) return words
  return (
    <ScrollRegion label={t('viewer.prompt')} className="max-h-50 min-w-0 flex-1 max-sm:min-w-full">
      {words}
    </ScrollRegion>
  )
}
