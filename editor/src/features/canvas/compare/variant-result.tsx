import { Check, Square } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Progress } from '@/components/progress'
import type { ChoiceSource } from '@/components/setting/control-props'
import type { Runner } from '@/document/runner'
import { useSession } from '@/document/use-session'
import type { SettingField } from '@/graph/setting-fields'
import { cancelVariant } from '@/lib/api/comparisons'
import { isApiError } from '@/lib/api/error'
import { dollars, seconds } from '@/lib/format'
import { modelLabel } from '@/lib/humanize'
import { useProviderTitle } from '@/lib/provider-title'
import { emptyStep, nodeOf } from '@/lib/run/step'
import { stepOfNode } from '@/lib/run/subflow-steps'
import { isOver, type StepState } from '@/lib/run/types'
import { toastError } from '@/lib/toasts'
import { ConnectButton } from './connect-provider'
import { useComparer, useComparisonRun, useRetry } from './use-comparer'
import { VariantBadge, valueText } from './variant-form'
import { VariantOutput } from './variant-output'

type VariantResultProps = {
  step: string
  letter: string
  /** Whether it has the settings that the node had when the comparison was started. */
  isOwn: boolean
  /** The settings that differ between the variants. */
  facts: readonly { field: SettingField; value: unknown }[]
  onKeep?: () => void
}

/** One variant: its result or why it has none, what differs, its cost, duration and model. */
export function VariantResult({ step: id, letter, isOwn, facts, onKeep }: VariantResultProps) {
  const { t } = useTranslation('compare')
  const found = useComparisonRun((live) => stepOfNode(live, id)) ?? emptyStep(id)
  // The run says so of a step that has not started only once it would start.
  const isStopped = useComparer((state) => state.run?.comparison?.cancelled.includes(id) ?? false)
  const step = isStopped && hasNotStarted(found) ? { ...found, status: 'cancelled' as const } : found
  const isOpen = useComparisonRun((live) => !isOver(live.status))
  const lacking = useLackingProvider(step)
  const retry = useRetry()
  const isLive =
    isOpen && (step.status === 'pending' || step.status === 'queued' || step.status === 'running')
  return (
    <li className="flex min-w-0 flex-col overflow-hidden rounded-m border border-hairline bg-paper/60">
      <section aria-label={t('variant', { letter })} className="flex flex-1 flex-col gap-3 p-3.5">
        <header className="flex min-h-7 items-center gap-2">
          <VariantBadge letter={letter} />
          <h3 className="min-w-0 flex-1 truncate font-semibold text-sm">
            {isOwn ? t('current') : t('variant', { letter })}
          </h3>
          <span className={`text-xs ${TONES[step.status]}`}>{t(`status.${step.status}`)}</span>
        </header>
        {step.status === 'running' && (
          <Progress
            value={step.progress}
            label={t('variant', { letter })}
            bar="bg-cobalt"
            className="h-[3px] w-full!"
          />
        )}
        <div className="min-h-24 min-w-0 flex-1">
          <Content step={step} letter={letter} />
        </div>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 border-hairline border-t pt-2.5 text-xs">
          {facts.map(({ field, value }) => (
            <div key={field.name} className="contents">
              <dt className="text-muted">{field.title}</dt>
              <dd className="wrap-anywhere line-clamp-4 whitespace-pre-line text-right">
                {valueText(field, value) || t('unset')}
              </dd>
            </div>
          ))}
        </dl>
        <Measures step={step} />
        {onKeep && (
          <footer className="flex flex-wrap justify-end gap-2">
            {isLive && <StopButton step={id} letter={letter} />}
            {lacking ? (
              <ConnectButton
                source={lacking}
                label={t('connectFor', { title: t('variant', { letter }) })}
                primary
                onConnected={retry}
              />
            ) : (
              <Button
                size="sm"
                variant="primary"
                disabled={step.status !== 'finished'}
                aria-label={isOwn ? t('keepCurrent') : t('keepOf', { letter })}
                onClick={onKeep}
              >
                <Check />
                {isOwn ? t('keepCurrent') : t('keep')}
              </Button>
            )}
          </footer>
        )}
      </section>
    </li>
  )
}

function hasNotStarted({ status }: StepState): boolean {
  return status === 'pending' || status === 'queued'
}

const KEY_FAULTS = new Set(['missing_credential', 'wrong_credential'])

/** The provider whose key is missing or wrong, for which this variant, or a node before it, failed. */
function useLackingProvider(step: StepState): ChoiceSource | null {
  const titleOf = useProviderTitle()
  const before = useComparisonRun((live) => live.steps[step.skipped?.because ?? '']?.error)
  const error = step.status === 'failed' ? step.error : step.status === 'skipped' ? before : null
  if (!error?.provider || !KEY_FAULTS.has(error.code)) return null
  return { id: error.provider, title: titleOf(error.provider), message: error.message }
}

/** What the server has noted of a variant that was stopped. */
function markStopped({ store }: Runner, id: string, step: string): void {
  const { run } = store.getState()
  if (run?.id !== id || !run.comparison) return
  const cancelled = [...run.comparison.cancelled, step]
  store.setState({ run: { ...run, comparison: { ...run.comparison, cancelled } } })
}

function StopButton({ step, letter }: { step: string; letter: string }) {
  const { t } = useTranslation('compare')
  const { comparer } = useSession()
  const run = useComparer((state) => state.run?.id)
  const [isBusy, setIsBusy] = useState(false)
  const stop = async () => {
    if (!run) return
    setIsBusy(true)
    try {
      await cancelVariant(run, step)
      markStopped(comparer, run, step)
    } catch (error) {
      // It may have ended in between.
      if (!isApiError(error, 'run_over')) toastError(t('stopFailed'), error)
      setIsBusy(false)
    }
  }
  return (
    <Button size="sm" busy={isBusy} aria-label={t('stopOf', { letter })} onClick={() => void stop()}>
      <Square />
      {t('stop')}
    </Button>
  )
}

const TONES: Record<StepState['status'], string> = {
  pending: 'text-muted',
  queued: 'text-muted',
  running: 'text-cobalt-text',
  finished: 'text-viridian-text',
  failed: 'text-madder-text',
  skipped: 'text-muted',
  cancelled: 'text-muted',
}

function Content({ step, letter }: { step: StepState; letter: string }) {
  const { t } = useTranslation('compare')
  const title = t('variant', { letter })
  const waiting = useWaitingFor(step)
  if (step.status === 'failed') {
    return (
      <div role="alert" className="flex flex-col gap-2 text-sm">
        <p className="wrap-anywhere text-madder-text">{step.error?.message}</p>
        {step.error?.detail && step.error.detail !== step.error.message && (
          <p className="wrap-anywhere line-clamp-4 rounded-s bg-sunken px-2 py-1 font-mono text-[11px] text-muted">
            {step.error.detail}
          </p>
        )}
      </div>
    )
  }
  if (step.status === 'cancelled') return <p className="text-muted text-sm">{t('stopped')}</p>
  if (step.status === 'skipped') return <Skipped step={step} />
  if (waiting) return <p className="text-muted text-sm">{waiting}</p>
  return <VariantOutput step={step} title={title} />
}

/** What a variant that has not started waits for; empty once it has. */
function useWaitingFor(step: StepState): string {
  const { t } = useTranslation('compare')
  const variants = useComparer((state) => state.run?.comparison?.steps)
  const before = useComparisonRun((live) =>
    live.order.find((id) => !variants?.includes(nodeOf(id)) && live.steps[id]?.status === 'running'),
  )
  const title = useComparisonRun((live) => (before ? live.steps[before]?.title : undefined))
  const over = useComparisonRun((live) => isOver(live.status))
  if (!hasNotStarted(step)) return ''
  if (over) return t('notRunOther')
  return title ? t('waitingFor', { title }) : t('waitingBefore')
}

function Skipped({ step }: { step: StepState }) {
  const { t } = useTranslation('compare')
  const because = step.skipped?.because ?? ''
  const title = useComparisonRun((live) => live.steps[because]?.title)
  const error = useComparisonRun((live) => live.steps[because]?.error?.message)
  const reason = step.skipped?.reason
  if (reason === 'failed' && title) {
    return (
      <div className="flex flex-col gap-1 text-sm">
        <p className="text-muted">{t('notRun', { title })}</p>
        {error && <p className="wrap-anywhere text-madder-text">{error}</p>}
      </div>
    )
  }
  if (reason === 'cancelled') return <p className="text-muted text-sm">{t('stopped')}</p>
  return <p className="text-muted text-sm">{t(reason === 'budget' ? 'notRunBudget' : 'notRunOther')}</p>
}

function Measures({ step }: { step: StepState }) {
  const { t } = useTranslation('compare')
  const titleOf = useProviderTitle()
  const { catalog } = useSession()
  if (!isEnded(step)) return null
  const made = step.madeBy
  const model = made?.model ? modelLabel(made.model) : ''
  const cost = dollars(step.costUsd) || '$0'
  const parts = [
    step.cached ? t('reused', { usd: cost }) : cost,
    step.seconds !== null && !step.cached && seconds(step.seconds),
    [model, made?.provider && titleOf(made.provider)].filter(Boolean).join(', ') ||
      catalog.type(step.nodeType)?.title,
  ]
  return (
    <p className="font-mono text-[11.5px] text-muted tabular-nums">{parts.filter(Boolean).join(' · ')}</p>
  )
}

/** A stopped variant may have been charged, too. */
function isEnded({ status, costUsd }: StepState): boolean {
  return status === 'finished' || status === 'failed' || (status === 'cancelled' && costUsd > 0)
}
