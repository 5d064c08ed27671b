import { useQuery } from '@tanstack/react-query'
import { type Asset, assetsQuery } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import type { MediaValue } from '@/lib/run/values'
import { Waveform } from './waveform'

const MAX_SHOWN = 4

/** Pictures in a grid, a film's poster, a voice's wave; strokes where something is still to come. */
export function CardMedia({ media, expected }: { media: readonly MediaValue[]; expected: number }) {
  const ids = media.map((one) => one.asset_id)
  const { data } = useQuery({ ...assetsQuery(ids), enabled: ids.length > 0 })
  const byId = new Map(data?.map((asset) => [asset.id, asset]))
  const audio = media.find((one) => one.$type === 'Audio')
  if (audio) return <Waveform asset={byId.get(audio.asset_id)} />
  const count = Math.min(MAX_SHOWN, Math.max(media.length, expected))
  const places = Array.from({ length: count }, (_, at) => media[at])
  return (
    <div className={classes('grid gap-1.5', count > 1 && 'grid-cols-2')}>
      {places.map((value, at) => (
        <Place
          // biome-ignore lint/suspicious/noArrayIndexKey: a place in the grid is its identity
          key={at}
          value={value}
          asset={value && byId.get(value.asset_id)}
          single={count === 1}
          more={at === MAX_SHOWN - 1 ? media.length - MAX_SHOWN : 0}
        />
      ))}
    </div>
  )
}

type PlaceProps = { value: MediaValue | undefined; asset: Asset | undefined; single: boolean; more: number }

function Place({ value, asset, single, more }: PlaceProps) {
  const size = classes('relative w-full overflow-hidden rounded-s', single ? 'h-[132px]' : 'h-[74px]')
  if (!value || !asset) return <div className={classes('media-placeholder', size)} />
  const poster = asset.thumbnail_url ?? (asset.kind === 'image' ? asset.url : null)
  return (
    <div className={classes('bg-sunken', size)}>
      {poster ? (
        <img
          src={poster}
          alt={asset.name ?? ''}
          draggable={false}
          loading="lazy"
          className="size-full object-cover"
        />
      ) : (
        <video src={`${asset.url}#t=0.1`} preload="metadata" muted className="size-full object-cover" />
      )}
      {asset.kind === 'video' && <PlayMark />}
      {more > 0 && (
        <span className="absolute inset-0 grid place-items-center bg-ink/55 font-semibold text-paper text-sm">
          +{more}
        </span>
      )}
    </div>
  )
}

function PlayMark() {
  return (
    <span aria-hidden className="absolute inset-0 grid place-items-center">
      <svg viewBox="0 0 24 24" className="size-8 rounded-pill bg-ink/60 p-1.5 text-paper" fill="currentColor">
        <title>Film</title>
        <path d="M8 5v14l11-7z" />
      </svg>
    </span>
  )
}
