import '@/lib/i18n/runs'
import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type WaveSurfer from 'wavesurfer.js'
import { clock } from '@/lib/format'
import { useTheme } from '@/lib/theme'
import { IconButton } from '../icon-button'

type WaveformProps = { src: string; title: string; seconds?: number | null; height?: number }

/** Audio as bars that show the progress; press anywhere to seek. */
export function Waveform({ src, title, seconds, height = 64 }: WaveformProps) {
  const { t } = useTranslation('runs')
  const { box, player, toggle, playing, at, failed } = useWaveSurfer(src, height)
  const length = seconds ?? 0
  if (failed) {
    // biome-ignore lint/a11y/useMediaCaption: what an agent made carries no caption track.
    return <audio src={src} controls aria-label={title} className="w-full" />
  }
  return (
    <div className="flex w-full items-center gap-3">
      <IconButton
        variant="primary"
        label={t(playing ? 'pause' : 'play', { title })}
        icon={playing ? <Pause className="fill-current" /> : <Play className="ml-0.5" />}
        onClick={toggle}
      />
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={t('seek', { title })}
        aria-valuemin={0}
        aria-valuemax={Math.round(length)}
        aria-valuenow={Math.round(at)}
        aria-valuetext={t('seekAt', { at: clock(at), length: clock(length) })}
        onKeyDown={(event) => {
          const to = seekTo(event.key, at, length)
          if (to === null) return
          event.preventDefault()
          // The arrow keys of the page move between results.
          event.stopPropagation()
          player.current?.setTime(to)
        }}
        className="min-w-0 flex-1 rounded-xs"
        style={{ height }}
      />
      <span className="w-9 text-right font-mono text-[11.5px] text-muted tabular-nums">
        {clock(at > 0 ? at : length)}
      </span>
    </div>
  )
}

const SEEK_STEP_SECONDS = 5

/** The position after a slider key; null for any other key. */
export function seekTo(key: string, at: number, length: number): number | null {
  const by: Record<string, number> = {
    ArrowLeft: -SEEK_STEP_SECONDS,
    ArrowDown: -SEEK_STEP_SECONDS,
    ArrowRight: SEEK_STEP_SECONDS,
    ArrowUp: SEEK_STEP_SECONDS,
  }
  if (key === 'Home') return 0
  if (key === 'End') return length
  const step = by[key]
  return step === undefined ? null : Math.min(length, Math.max(0, at + step))
}

function useWaveSurfer(src: string, height: number) {
  const box = useRef<HTMLDivElement>(null)
  const player = useRef<WaveSurfer | null>(null)
  // Pressed during loading: plays once loaded.
  const playWhenReady = useRef(false)
  const [ready, setReady] = useState(false)
  const [playing, setPlaying] = useState(false)
  const [at, setAt] = useState(0)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let made: WaveSurfer | null = null
    let gone = false
    const place = box.current
    void import('wavesurfer.js').then(({ default: Surfer }) => {
      if (gone || !place) return
      made = Surfer.create({
        container: place,
        url: src,
        height,
        barWidth: 2.6,
        barGap: 2.4,
        barRadius: 1.3,
        normalize: true,
        cursorWidth: 0,
        dragToSeek: true,
        ...themeColors(place),
      })
      player.current = made
      made.on('ready', () => {
        setReady(true)
        if (playWhenReady.current) void made?.play()
      })
      made.on('play', () => setPlaying(true))
      made.on('pause', () => setPlaying(false))
      made.on('timeupdate', setAt)
      made.on('error', () => gone || setFailed(true))
    })
    return () => {
      gone = true
      player.current = null
      playWhenReady.current = false
      setReady(false)
      made?.destroy()
    }
  }, [src, height])
  const theme = useTheme(({ shown }) => shown)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bars are drawn in theme colors, so a theme change redraws them.
  useEffect(() => {
    if (box.current) player.current?.setOptions(themeColors(box.current))
  }, [theme])
  const toggle = () => {
    if (ready) void player.current?.playPause()
    else playWhenReady.current = !playWhenReady.current
  }
  return { box, player, toggle, playing, at, failed }
}

/** Both opaque: the played part is drawn over the bars and would otherwise look as pale. */
function themeColors(place: HTMLElement) {
  const style = getComputedStyle(place)
  const [accent, paper] = ['--viridian', '--surface'].map((name) => style.getPropertyValue(name).trim())
  return { waveColor: `color-mix(in srgb, ${accent} 36%, ${paper})`, progressColor: accent }
}
