import { CircleAlert, CircleSlash, CloudOff, Hourglass } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { useOnline } from '@/lib/browser-hooks'
import { classes } from '@/lib/classes'
import { isOver, type RunState, type RunStatus } from '@/lib/run/types'
import type { StreamState } from '@/lib/run-events'

type RunNoticesProps = {
  state: RunState
  stream: StreamState
  /** How many runs start before this one; null if it does not wait. */
  queuePosition: number | null
  /** Null when there is nothing to retry. */
  onResume: (() => void) | null
  resuming: boolean
}

/** Problems of a run, each with its remedy. */
export function RunNotices({ state, stream, queuePosition, onResume, resuming }: RunNoticesProps) {
  const { t } = useTranslation('runs')
  const waits = useSettledTrue(state.status === 'queued' && queuePosition !== null, QUEUE_DELAY_MS)
  const again = onResume && (
    <Button size="sm" busy={resuming} onClick={onResume}>
      {t('resume')}
    </Button>
  )
  return (
    <div aria-live="polite" className="empty:hidden">
      <Connection stream={stream} over={isOver(state.status)} />
      {waits && queuePosition !== null && (
        <Notice icon={<Hourglass />}>
          {queuePosition === 0 ? t('nextInQueue') : t('inQueue', { before: queuePosition })}
        </Notice>
      )}
      {state.status === 'failed' && (
        <Notice icon={<CircleAlert />} tone="bad" action={again}>
          <span className="font-semibold">{state.error?.message ?? t('failed')}</span>
          {state.error?.detail && (
            <span className="mt-0.5 block text-muted text-sm">{state.error.detail}</span>
          )}
        </Notice>
      )}
      {state.status === 'cancelled' && (
        <Notice icon={<CircleSlash />} action={again}>
          {t('cancelled')}
        </Notice>
      )}
    </div>
  )
}

type NoticeProps = { icon: ReactNode; tone?: 'bad'; action?: ReactNode; children: ReactNode }

function Notice({ icon, tone, action, children }: NoticeProps) {
  return (
    <div
      className={classes(
        'mt-3.5 flex animate-fade items-center gap-3 rounded-m border bg-surface px-4 py-3',
        tone === 'bad' ? 'border-madder/40' : 'border-hairline',
      )}
    >
      <span aria-hidden className={classes('[&_svg]:size-5', tone === 'bad' ? 'text-madder' : 'text-muted')}>
        {icon}
      </span>
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </div>
  )
}

/** Most runs start sooner than this, and show no notice of the queue. */
const QUEUE_DELAY_MS = 1000
/** Shorter interruptions are not shown. */
const OFFLINE_DELAY_MS = 2500

/** Floats, so that the layout does not shift. */
function Connection({ stream, over }: { stream: StreamState; over: boolean }) {
  const { t } = useTranslation('runs')
  const online = useOnline()
  const broken = useSettledTrue(!over && (stream === 'waiting' || stream === 'connecting'), OFFLINE_DELAY_MS)
  if (online && !broken) return null
  return (
    <p className="-translate-x-1/2 fixed bottom-5 left-1/2 z-30 flex w-max max-w-[calc(100vw-32px)] animate-fade items-center gap-2.5 rounded-pill border border-hairline bg-surface px-4 py-2.5 text-sm shadow-float">
      <CloudOff aria-hidden className="size-4 text-muted" />
      {t(online ? 'reconnecting' : 'offline')}
    </p>
  )
}

/** True once the condition has held for this long. */
function useSettledTrue(value: boolean, milliseconds: number): boolean {
  const [lasting, setLasting] = useState(false)
  useEffect(() => {
    if (!value) return setLasting(false)
    const timer = window.setTimeout(() => setLasting(true), milliseconds)
    return () => window.clearTimeout(timer)
  }, [value, milliseconds])
  return lasting
}

type RunAnnouncerProps = { name: string; status: RunStatus; ready: number; of: number }

/** Announces the progress of a run to screen readers. */
export function RunAnnouncer({ name, status, ready, of }: RunAnnouncerProps) {
  const { t } = useTranslation('runs')
  const words = isOver(status)
    ? t(`announce.${endOf(status)}`, { agent: name })
    : t('announce.running', { agent: name, done: ready, total: of })
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  )
}

function endOf(status: RunStatus): 'finished' | 'failed' | 'cancelled' {
  return status === 'failed' || status === 'cancelled' ? status : 'finished'
}
