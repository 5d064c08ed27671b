import { ChevronDown, Info, Play, Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Popover } from '@/components/popover'
import { useChecks, useIsEmpty, useLive, useRunner, useSession, useView } from '@/document/use-session'
import { clock, dollars } from '@/lib/format'
import { isOver } from '@/lib/run/types'
import { toastError } from '@/lib/toasts'
import { formatShortcut } from '../commands/shortcut-keys'
import { run } from '../commands/start-run'
import { formatEstimate } from '../run/estimate'
import { RunMenu } from '../run/run-menu'
import { useElapsed } from '../run/use-run-clock'

/** The Run button; during a run it shows the elapsed time and stops the run. */
export function RunButton({ own }: { own: boolean }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((view) => view.dialog === 'run')
  const busy = useRunner((state) => state.busy)
  const running = useRunner((state) => state.run !== null)
  const over = useLive((live) => isOver(live.status))
  const isEmpty = useIsEmpty()
  if (busy === 'starting' || (running && !over)) return <StopButton />
  return (
    <div className="flex items-center gap-1">
      <Total />
      <Notices />
      <Button
        variant="primary"
        size="sm"
        className="h-[34px] px-3.5"
        title={formatShortcut('mod+enter')}
        disabled={isEmpty}
        onClick={() => void run(session, t)}
      >
        <Play />
        {own ? t('toolbar.run') : t('toolbar.launch')}
      </Button>
      <Popover
        open={open}
        onOpenChange={(next) => session.view.open(next ? 'run' : null)}
        label={t('toolbar.more')}
        align="end"
        className="w-80"
        trigger={
          <Button variant="ghost" size="sm" aria-label={t('toolbar.more')} className="h-[34px] w-8 px-0">
            <ChevronDown />
          </Button>
        }
      >
        <RunMenu />
      </Popover>
    </div>
  )
}

/** The estimated cost and time of the next run, and its budget. */
function Total() {
  const { t } = useTranslation('canvas')
  const words = formatEstimate(useChecks((checks) => checks.estimate))
  const budget = useView((view) => view.budget.trim())
  const parts = [
    words && t('node.about', { what: words }),
    budget && t('run.atMost', { budget: dollars(budget) }),
  ]
  return (
    <span
      aria-live="polite"
      aria-atomic="true"
      className="whitespace-nowrap px-1.5 font-mono text-[11.5px] text-muted empty:px-0 max-xl:sr-only"
    >
      {parts.filter(Boolean).join(' · ')}
    </span>
  )
}

/** How many things the next run will not do as asked; opens the Run menu, which lists them. */
function Notices() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const count = useChecks((checks) => checks.estimate?.notices?.length ?? 0)
  if (count === 0) return null
  return (
    <Button
      variant="ghost"
      size="sm"
      className="h-[34px] gap-1 px-2 text-muted"
      aria-label={t('run.notices', { count })}
      title={t('run.notices', { count })}
      onClick={() => session.view.open('run')}
    >
      <Info />
      <span className="font-mono text-[11.5px]">{count}</span>
    </Button>
  )
}

function StopButton() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const elapsed = useElapsed()
  const stopping = useRunner((state) => state.busy === 'stopping')
  return (
    <Button
      variant="primary"
      size="sm"
      busy={stopping}
      className="h-[34px] px-3.5"
      aria-label={t('toolbar.stop')}
      onClick={() =>
        void session.runner.cancel().catch((error: unknown) => toastError(t('run.failedToStop'), error))
      }
    >
      <Square />
      {t('toolbar.running')}
      <span className="ml-1 font-mono text-[11.5px] tabular-nums opacity-70">{clock(elapsed)}</span>
    </Button>
  )
}
