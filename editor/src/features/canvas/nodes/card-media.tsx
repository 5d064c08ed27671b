import { useQuery } from '@tanstack/react-query'
import { MaskResult } from '@/components/mask/lazy-mask'
import { CONTENT_PADDING, MAX_SHOWN, mediaGrid } from '@/graph/card-room'
import type { Size } from '@/graph/document'
import { assetBytes } from '@/lib/api/asset-files'
import { type Asset, assetsQuery } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import type { MediaValue } from '@/lib/run/media-values'

type CardMediaProps = { media: readonly MediaValue[]; expected: number; room: Size }

/** Images at their own ratio, the poster of a video, the waveform of audio; placeholders for pending items. */
export function CardMedia({ media, expected, room }: CardMediaProps) {
  const ids = media.map((one) => one.asset_id)
  const { data } = useQuery({ ...assetsQuery(ids), enabled: ids.length > 0 })
  const byId = new Map(data?.map((asset) => [asset.id, asset]))
  const audio = media.find((one) => one.$type === 'Audio')
  if (audio) return <Waveform asset={byId.get(audio.asset_id)} />
  const count = Math.min(MAX_SHOWN, Math.max(media.length, expected))
  const places = Array.from({ length: count }, (_, at) => media[at])
  const ratio = ratioOf(media)
  const inside = { width: room.width - 2 * CONTENT_PADDING, height: room.height }
  const { columns, width } = mediaGrid(count, ratio, inside)
  const column = count > 1 ? `${width}px` : 'minmax(0, 1fr)'
  return (
    <div
      className="grid justify-center gap-1.5"
      style={{ gridTemplateColumns: `repeat(${columns}, ${column})` }}
    >
      {places.map((value, at) => (
        <Place
          // biome-ignore lint/suspicious/noArrayIndexKey: a place in the grid is its identity
          key={at}
          value={value}
          asset={value && byId.get(value.asset_id)}
          ratio={count > 1 ? ratio : null}
          height={room.height}
          more={at === MAX_SHOWN - 1 ? media.length - MAX_SHOWN : 0}
        />
      ))}
    </div>
  )
}

/** The ratio of width to height of the first image. */
function ratioOf([first]: readonly MediaValue[]): number {
  return first?.width && first.height ? first.width / first.height : 1
}

type PlaceProps = {
  value: MediaValue | undefined
  asset: Asset | undefined
  /** The ratio of its place; null for an image alone, which has the whole reserved room. */
  ratio: number | null
  /** The reserved height. */
  height: number
  more: number
}

function Place({ value, asset, ratio, height, more }: PlaceProps) {
  const size = 'relative w-full overflow-hidden rounded-s'
  const shape = ratio === null ? { height } : { aspectRatio: ratio, maxHeight: height }
  if (!value || !asset) return <div style={shape} className={classes('media-placeholder', size)} />
  if (value.isMask) {
    return (
      <div style={shape} className={classes('bg-sunken', size)}>
        <MaskResult mask={asset} title={asset.name ?? ''} small />
      </div>
    )
  }
  const poster = asset.thumbnail_url ?? (asset.kind === 'image' ? asset.url : null)
  return (
    <div style={shape} className={classes('bg-sunken', size)}>
      {poster ? (
        <img
          src={poster}
          alt={asset.name ?? ''}
          draggable={false}
          loading="lazy"
          className="size-full object-contain"
        />
      ) : (
        <video src={`${asset.url}#t=0.1`} preload="metadata" muted className="size-full object-contain" />
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
        <title>Video</title>
        <path d="M8 5v14l11-7z" />
      </svg>
    </span>
  )
}

const BARS = 52
const HEIGHT = 34

/** A waveform computed from the audio samples. */
export function Waveform({ asset }: { asset: Asset | undefined }) {
  const { data } = useQuery({
    queryKey: ['waveform', asset?.id],
    queryFn: () => peaksOf(asset as Asset),
    enabled: asset !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const peaks = data ?? Array.from({ length: BARS }, () => 0.12)
  return (
    <svg
      aria-hidden
      viewBox={`0 0 206 ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-[34px] w-full text-viridian"
      fill="currentColor"
    >
      {peaks.map((peak, at) => {
        const height = 3 + peak * (HEIGHT - 4)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
            key={at}
            x={at * 4}
            y={(HEIGHT - height) / 2}
            width={2.2}
            height={height}
            rx={1.1}
            opacity={data ? 1 : 0.35}
          />
        )
      })}
    </svg>
  )
}

async function peaksOf(asset: Asset): Promise<number[]> {
  const bytes = await assetBytes(asset)
  const context = new OfflineAudioContext(1, 1, 22_050)
  const audio = await context.decodeAudioData(bytes.buffer)
  const samples = audio.getChannelData(0)
  const width = Math.max(1, Math.floor(samples.length / BARS))
  const peaks = Array.from({ length: BARS }, (_, at) => loudest(samples, at * width, width))
  const most = Math.max(...peaks, 0.01)
  return peaks.map((peak) => peak / most)
}

function loudest(samples: Float32Array, from: number, width: number): number {
  let most = 0
  for (let at = from; at < from + width; at += 8) most = Math.max(most, Math.abs(samples[at] ?? 0))
  return most
}
