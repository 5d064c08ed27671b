import { CloudOff, RotateCcw, Split, Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { RunChip } from '@/components/chip'
import { closeComparison, keepVariant, settingsOfVariant } from '@/document/comparison'
import { finishedVariants, keepAsNodes } from '@/document/comparison-nodes'
import type { OpenRun } from '@/document/runner'
import { toastWithUndo } from '@/document/undo-toast'
import { useDocument, useSession } from '@/document/use-session'
import { comparableFields, valueIn } from '@/graph/comparable'
import { findNode } from '@/graph/document'
import { parseDocument } from '@/graph/parse'
import type { SettingField } from '@/graph/setting-fields'
import { dollars } from '@/lib/format'
import { stepOfNode } from '@/lib/run/subflow-steps'
import { isOver } from '@/lib/run/types'
import { toast, toastError } from '@/lib/toasts'
import { letterOf, useComparer, useComparisonRun, useRetry } from './use-comparer'
import { VariantResult } from './variant-result'

/** The variants of a comparison side by side, while they run and after. */
export function ComparisonResults() {
  const run = useComparer((state) => state.run)
  return run?.comparison ? <Shown run={run} steps={run.comparison.steps} node={run.comparison.node} /> : null
}

type ShownProps = { run: OpenRun; steps: readonly string[]; node: string }

function Shown({ run, steps, node }: ShownProps) {
  const { t } = useTranslation('compare')
  const session = useSession()
  const exists = useDocument((flow) => findNode(flow, node) !== undefined)
  const fields = comparedFields(session.catalog, run, steps)
  const keep = (step: string, letter: string) => {
    const isOwn = step === steps[0]
    if (!keepVariant(session, step)) {
      toast({ title: t('nodeGone'), tone: 'error' })
      return
    }
    closeComparison(session)
    session.view.select([node])
    const notice = { title: isOwn ? t('keptCurrent') : t('kept', { letter }), description: t('keptText') }
    if (isOwn) toast(notice)
    else toastWithUndo(session, notice)
  }
  return (
    <>
      <Heading />
      {!exists && (
        <p role="status" className="text-ochre-text text-sm">
          {t('nodeGone')}
        </p>
      )}
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,268px),1fr))] gap-3">
        {steps.map((step, index) => (
          <VariantResult
            key={step}
            step={step}
            letter={letterOf(index)}
            isOwn={index === 0}
            facts={fields.map(({ field, values }) => ({ field, value: values[index] }))}
            {...(exists && session.canEdit && { onKeep: () => keep(step, letterOf(index)) })}
          />
        ))}
      </ul>
      <Actions node={node} />
    </>
  )
}

/** The status, what it has cost, and for screen readers how far it is. */
function Heading() {
  const { t } = useTranslation('compare')
  const status = useComparisonRun((live) => live.status)
  const cost = useComparisonRun((live) => live.costUsd)
  const error = useComparisonRun((live) => live.error)
  const isDisconnected = useComparer((state) => state.isDisconnected)
  const steps = useComparer((state) => state.run?.comparison?.steps)
  const done = useComparisonRun(
    (live) => steps?.filter((step) => stepOfNode(live, step)?.status === 'finished').length ?? 0,
  )
  const over = isOver(status)
  return (
    <div className="-mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted text-sm">
      <RunChip status={status} />
      <span className="font-mono text-[11.5px] tabular-nums">
        {t(over ? 'costTotal' : 'cost', { usd: dollars(cost) })}
      </span>
      <span role="status">{t('progress', { done, all: steps?.length ?? 0 })}</span>
      {over && error && status === 'failed' && error.code !== 'items_failed' && (
        <span className="wrap-anywhere text-madder-text">{error.message}</span>
      )}
      {isDisconnected && !over && (
        <span className="inline-flex items-center gap-1.5 text-ochre-text">
          <CloudOff aria-hidden className="size-4" />
          {t('disconnected')}
        </span>
      )}
    </div>
  )
}

function Actions({ node }: { node: string }) {
  const { t } = useTranslation('compare')
  const session = useSession()
  const status = useComparisonRun((live) => live.status)
  const retry = useRetry()
  const busy = useComparer((state) => state.busy)
  const canResume = useComparer((state) => state.run?.can_resume ?? false)
  const exists = useDocument((flow) => findNode(flow, node) !== undefined)
  if (!session.canEdit) return null
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2.5">
      {!isOver(status) && (
        <Button
          busy={busy === 'stopping'}
          onClick={() =>
            void session.comparer.cancel().catch((error: unknown) => toastError(t('stopFailed'), error))
          }
        >
          <Square />
          {t('stopAll')}
        </Button>
      )}
      {isOver(status) && status !== 'finished' && canResume && (
        <Button busy={busy === 'starting'} onClick={retry}>
          <RotateCcw />
          {t('retry')}
        </Button>
      )}
      {exists && isOver(status) && <KeepAsNodes />}
      {exists && isOver(status) && (
        <Button onClick={() => session.view.setState({ comparing: { node, shows: 'setup' } })}>
          {t('change')}
        </Button>
      )}
    </footer>
  )
}

/** Keeps the further variants that have finished as nodes of their own, and the compared one as it is. */
function KeepAsNodes() {
  const { t } = useTranslation('compare')
  const session = useSession()
  const count = finishedVariants(session).length
  const keep = () => {
    const ids = keepAsNodes(session)
    if (ids.length === 0) return
    closeComparison(session)
    session.view.select(ids)
    session.viewport?.fit(ids)
    toastWithUndo(session, {
      title: t('keptNodes', { count }),
      description: t('keptNodesText', { count }),
    })
  }
  return (
    <Button disabled={count === 0} onClick={keep}>
      <Split />
      {t('keepNodes')}
    </Button>
  )
}

/** The settings in which the variants differ, with the value of each. */
function comparedFields(
  catalog: ReturnType<typeof useSession>['catalog'],
  run: OpenRun,
  steps: readonly string[],
): { field: SettingField; values: unknown[] }[] {
  if (run.flow === undefined) return []
  const document = parseDocument(run.flow)
  const found = steps.flatMap((step) => findNode(document, step) ?? [])
  // Variants may run different agents, whose inputs differ.
  const fields = found.flatMap((node) => comparableFields(node, document, catalog, { fed: true }))
  const byName = new Map(fields.map((field) => [field.name, field]))
  return [...byName.values()].flatMap((field) => {
    const values = steps.map((step) => valueIn(settingsOfVariant(run, step), field))
    return new Set(values.map((value) => JSON.stringify(value))).size > 1 ? [{ field, values }] : []
  })
}
