import { useQuery } from '@tanstack/react-query'
import { CircleDollarSign, Play, RotateCcw, SkipForward } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { RunChip } from '@/components/chip'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import type { startRun } from '@/document/run-actions'
import { useChecks, useSession, useView } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { runsQuery } from '@/lib/api/runs'
import { ago, dollars } from '@/lib/format'
import { toastError } from '@/lib/toasts'
import { run } from '../commands/commands'
import { estimateWords } from './estimate'

/** How to run: everything, up to a node, afresh, within a budget; and the runs that were. */
export function RunMenu() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const [budget, setBudget] = useState('')
  const chosen = useView((view) => (view.nodes.length === 1 ? view.nodes[0] : undefined))
  const node = session.document.nodes.find((one) => one.id === chosen)
  const title = node && titleOf(node, session.catalogue)
  const start = (order: Parameters<typeof startRun>[1]) => {
    session.view.open(null)
    void run(session, t, { ...order, budgetUsd: budget.trim() || null })
  }
  return (
    <div className="flex flex-col gap-3">
      <Estimate />
      <div className="flex flex-col gap-1">
        <Choice icon={<Play />} label={t('run.reuse')} onPress={() => start({})} />
        {node && title && (
          <>
            <Choice
              icon={<SkipForward />}
              label={t('run.here', { title })}
              onPress={() => start({ targets: [node.id] })}
            />
            <Choice
              icon={<RotateCcw />}
              label={t('run.again', { title })}
              onPress={() => start({ targets: [node.id], fresh: [node.id] })}
            />
          </>
        )}
        <Choice icon={<RotateCcw />} label={t('run.all')} onPress={() => start({ reuse: 'none' })} />
      </div>
      <Field label={t('run.budget')} help={t('run.budgetHelp')}>
        <Input
          type="number"
          inputMode="decimal"
          min={0}
          step="0.01"
          value={budget}
          end="USD"
          onChange={(event) => setBudget(event.target.value)}
        />
      </Field>
      <PastRuns />
    </div>
  )
}

function Choice({ icon, label, onPress }: { icon: React.ReactNode; label: string; onPress: () => void }) {
  return (
    <Button variant="ghost" className="justify-start rounded-s px-2.5" onClick={onPress}>
      {icon}
      <span className="truncate">{label}</span>
    </Button>
  )
}

function Estimate() {
  const { t } = useTranslation('canvas')
  const words = estimateWords(useChecks((checks) => checks.estimate))
  return (
    <p className="flex items-center gap-2 text-muted text-xs">
      <CircleDollarSign aria-hidden className="size-4" />
      {words ? t('run.estimate', { what: words }) : t('run.estimateNone')}
    </p>
  )
}

function PastRuns() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { data } = useQuery(runsQuery({ flowId: session.flowId }))
  const open = (id: string) => {
    session.view.setState({ sheet: null, dock: true })
    session.runner.open(id).catch((error: unknown) => toastError(t('run.failedToOpen'), error))
  }
  return (
    <section className="border-hairline border-t pt-2.5">
      <h3 className="mb-1 font-semibold text-faint text-xs">{t('run.past')}</h3>
      {data?.items.length === 0 && <p className="text-muted text-xs">{t('run.noPast')}</p>}
      <ul className="scrollbar-quiet -mx-1 max-h-52 overflow-y-auto">
        {data?.items.map((past) => (
          <li key={past.id}>
            <button
              type="button"
              onClick={() => open(past.id)}
              className="flex w-full items-center gap-2 rounded-s px-2 py-1.5 text-left hover:bg-sunken"
            >
              <span className="flex-1 truncate">
                {t('run.title', { number: past.number })}
                <span className="ml-1.5 text-muted text-xs">{ago(past.created_at)}</span>
              </span>
              <span className="font-mono text-[11px] text-muted">{dollars(past.cost_usd)}</span>
              <RunChip status={past.status} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
