import { Download, SlidersHorizontal, Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { RunChip } from '@/components/chip'
import { clock, dollars } from '@/lib/format'
import { isOver, type RunState } from '@/lib/run/types'

type RunHeaderProps = {
  name: string
  state: RunState
  elapsed: number
  stopping: boolean
  /** How many files have been added to the zip, while it is being built. */
  packed: number | null
  ready: number
  /** Whether the main action is elsewhere on the page. */
  quiet: boolean
  onCustomize: (() => void) | null
  onStop: () => void
  onDownload: () => void
}

export function RunHeader(props: RunHeaderProps) {
  const { name, state, elapsed, stopping, packed, ready, quiet, onCustomize, onStop, onDownload } = props
  const { t } = useTranslation('runs')
  const over = isOver(state.status)
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2.5 max-sm:[&_button_svg]:hidden">
      <h1 className="wrap-anywhere min-w-0 font-serif text-[30px] leading-[1.1] tracking-[-0.01em]">
        {name}
      </h1>
      <RunChip status={state.status} clock={state.startedAt === null ? undefined : clock(elapsed)} />
      {over && state.costUsd > 0 && (
        <span className="font-mono text-muted text-xs">{dollars(state.costUsd)}</span>
      )}
      <span className="flex-1" />
      {onCustomize && (
        <Button onClick={onCustomize}>
          <SlidersHorizontal aria-hidden />
          {t('customize')}
        </Button>
      )}
      {!over && (
        <Button onClick={onStop} busy={stopping}>
          <Square aria-hidden />
          {t(stopping ? 'stopping' : 'stop')}
        </Button>
      )}
      <Button
        variant={quiet ? 'quiet' : 'primary'}
        onClick={onDownload}
        disabled={ready === 0}
        busy={packed !== null}
      >
        <Download aria-hidden />
        {packed === null ? t('downloadAll') : t('packing', { done: packed, total: ready })}
      </Button>
    </div>
  )
}
