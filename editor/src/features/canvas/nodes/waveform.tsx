import { useQuery } from '@tanstack/react-query'
import { type Asset, assetBytes } from '@/lib/api/assets'

const BARS = 52
const HEIGHT = 34

/** A voice as it sounds, drawn from its own samples. */
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
  const sound = await context.decodeAudioData(bytes.buffer)
  const samples = sound.getChannelData(0)
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
