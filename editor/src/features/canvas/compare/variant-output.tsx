import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { DataTable } from '@/components/data-table'
import { Markdown } from '@/components/markdown'
import { MaskResult } from '@/components/mask/lazy-mask'
import { Video } from '@/components/media/video'
import { Waveform } from '@/components/media/waveform'
import { type Asset, assetsQuery, imageUrl } from '@/lib/api/assets'
import { layOutData } from '@/lib/data-layout'
import { type MediaValue, mediaIn } from '@/lib/run/media-values'
import type { StepState } from '@/lib/run/types'
import { asText, dataRepeatedBy, isStructured } from '@/lib/run/values'

/** What a variant has made so far: its media, its tables, or its text. */
export function VariantOutput({ step, title }: { step: StepState; title: string }) {
  const { t } = useTranslation('compare')
  const isRunning = step.status === 'running'
  const final = Object.values(step.outputs)
  const values = final.length > 0 ? final : Object.values(step.partials)
  const media = values.flatMap(mediaIn)
  if (media.length > 0) return <Media media={media} title={title} />
  if (isRunning && !step.text) {
    return (
      <div className="flex flex-col gap-2">
        <div className="media-placeholder aspect-[4/3] w-full rounded-s" />
        {step.message && <p className="text-muted text-xs">{step.message}</p>}
      </div>
    )
  }
  const shown = final.length > 0 ? final.filter((value) => !dataRepeatedBy(value, final)) : [step.text]
  const written = shown.filter((value) => isStructured(value) || (asText(value) ?? '') !== '')
  if (written.length === 0) return <p className="text-muted text-sm">{t('noResult')}</p>
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={t('result', { title })}
      className="scrollbar-quiet flex max-h-[46vh] flex-col gap-3 overflow-auto text-sm"
    >
      {written.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the outputs of a step never change places
        <Written key={at} value={value} />
      ))}
    </section>
  )
}

function Written({ value }: { value: unknown }) {
  if (isStructured(value)) return <DataTable laid={layOutData(value)} />
  return <Markdown className="wrap-anywhere">{asText(value) ?? ''}</Markdown>
}

function Media({ media, title }: { media: readonly MediaValue[]; title: string }) {
  const { data } = useQuery(assetsQuery(media.map((one) => one.asset_id)))
  const byId = new Map(data?.map((asset) => [asset.id, asset]))
  return (
    <ul className={media.length > 1 ? 'grid grid-cols-2 gap-1.5' : 'grid'}>
      {media.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same asset may come twice
        <li key={`${value.asset_id}${at}`} className="min-w-0">
          <Piece
            value={value}
            asset={byId.get(value.asset_id)}
            title={media.length > 1 ? `${title}, ${at + 1}` : title}
          />
        </li>
      ))}
    </ul>
  )
}

type PieceProps = { value: MediaValue; asset: Asset | undefined; title: string }

function Piece({ value, asset, title }: PieceProps) {
  const ratio = value.width && value.height ? `${value.width} / ${value.height}` : undefined
  const look = 'w-full rounded-s bg-sunken'
  if (!asset) return <div style={{ aspectRatio: ratio ?? '1' }} className={`media-placeholder ${look}`} />
  if (asset.kind === 'audio')
    return <Waveform src={asset.url} title={title} seconds={value.seconds ?? null} height={44} />
  if (asset.kind === 'video') {
    return (
      <Video
        src={asset.url}
        controls
        title={title}
        style={{ aspectRatio: ratio }}
        className={`max-h-[46vh] ${look}`}
      />
    )
  }
  if (value.isMask) return <MaskResult mask={asset} title={title} />
  if (asset.kind === 'image') {
    return (
      <a href={asset.url} target="_blank" rel="noreferrer" className="block rounded-s">
        <img
          src={imageUrl(asset)}
          alt={title}
          style={{ aspectRatio: ratio }}
          className={`max-h-[46vh] object-contain ${look}`}
        />
      </a>
    )
  }
  return <p className="truncate text-sm">{asset.name ?? asset.id}</p>
}
