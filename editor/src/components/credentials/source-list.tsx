import { AudioLines, File, Film, Image } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssetCredentials } from '@/lib/api/assets'
import { AiMark } from './ai-mark'

export type Source = AssetCredentials['sources'][number]

/** The files that a file was made from, with what is known of them. */
export function SourceList({ sources }: { sources: readonly Source[] }) {
  const { t } = useTranslation('credentials')
  const nameOf = useSourceName()
  const detailOf = useSourceDetail()
  if (sources.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-semibold text-muted text-xs">{t('sources')}</h4>
      <ul className="grid grid-cols-2 gap-3">
        {sources.map((source, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order.
          <li key={index} className="flex min-w-0 items-center gap-2.5">
            <SourceImage source={source} />
            <span className="min-w-0">
              <span className="block truncate font-semibold text-sm">{nameOf(source)}</span>
              <span className="block text-muted text-xs">{detailOf(source)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Returns a function that gives the name of a source. */
export function useSourceName(): (source: Source) => string {
  const { t } = useTranslation('credentials')
  return (source) => source.name ?? source.title ?? t('unnamed')
}

function useSourceDetail(): (source: Source) => string {
  const { t } = useTranslation('credentials')
  return ({ state, signer, ai_made: made }) => {
    if (state === 'valid') return signer ? t('source.valid', { signer }) : t('source.validUnnamed')
    if (state === 'trusted' && made === 'yes') return t('generated')
    return t(`source.${state}`)
  }
}

const glyphs: Record<string, ReactNode> = { image: <Image />, video: <Film />, audio: <AudioLines /> }

function SourceImage({ source }: { source: Source }) {
  return (
    <span className="relative grid h-12 w-10 flex-none place-items-center overflow-hidden rounded-s bg-sunken text-muted [&_svg]:size-4">
      {source.thumbnail_url ? (
        <img src={source.thumbnail_url} alt="" className="size-full object-cover" />
      ) : (
        (glyphs[source.media_type?.split('/')[0] ?? ''] ?? <File />)
      )}
      <AiMark made={source.ai_made} className="absolute top-0.5 left-0.5 px-1 py-0.5 text-[9px]" />
    </span>
  )
}
