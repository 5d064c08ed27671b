import { useQuery } from '@tanstack/react-query'
import { CircleDollarSign, History, Play, RotateCcw, SkipForward } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Checkbox } from '@/components/checkbox'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { NoticeList } from '@/components/launch/launch-notices'
import type { startRun } from '@/document/run-actions'
import { useChecks, useSession, useView } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { estimateQuery } from '@/lib/api/runs'
import { dollars } from '@/lib/format'
import { saveBudget } from '@/lib/launch/saved-launch'
import { run } from '../commands/start-run'
import { formatEstimate, isOverBudget } from './estimate'
import { RecentRuns } from './past-runs'

/** Run options: everything, up to a node, without the cache, within a budget; and past runs. */
export function RunMenu() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const chosen = useView((view) => (view.nodes.length === 1 ? view.nodes[0] : undefined))
  const node = session.document.nodes.find((one) => one.id === chosen)
  const title = node && titleOf(node, session.catalog)
  const start = (order: Parameters<typeof startRun>[1]) => {
    session.view.open(null)
    void run(session, t, order)
  }
  return (
    <div className="flex flex-col gap-3">
      <Estimate />
      <div className="flex flex-col gap-1">
        <Choice icon={<Play />} label={t('run.runChanged')} onPress={() => start({})} />
        {node && title && (
          <>
            <Choice
              icon={<SkipForward />}
              label={t('run.runTo', { title })}
              onPress={() => start({ targets: [node.id] })}
            />
            <Choice
              icon={<RotateCcw />}
              label={t('run.runAgain', { title })}
              onPress={() => start({ targets: [node.id], fresh: [node.id] })}
            />
          </>
        )}
        <Choice icon={<RotateCcw />} label={t('run.runAll')} onPress={() => start({ reuse: 'none' })} />
      </div>
      <Budget />
      <RecentRuns />
      <Choice icon={<History />} label={t('run.allPast')} onPress={() => session.view.open('runs')} />
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

/** The estimate by earlier runs, else the computed one, and what the run will not do as asked. */
function Estimate() {
  const { t } = useTranslation(['canvas', 'launch'])
  const { flowId } = useSession()
  const computed = useChecks((checks) => checks.estimate)
  const { data: corrected } = useQuery({ ...estimateQuery(flowId, {}, 'draft'), staleTime: 0 })
  const estimate = corrected ?? computed
  const words = formatEstimate(estimate)
  const count = corrected?.based_on_runs ?? 0
  const basis = count > 0 ? ` · ${t('launch:basedOnRuns', { count })}` : ''
  return (
    <div>
      <p className="flex items-center gap-2 text-muted text-xs">
        <CircleDollarSign aria-hidden className="size-4 flex-none" />
        {words ? t('run.estimate', { what: words }) + basis : t('run.estimateNone')}
      </p>
      <NoticeList notices={estimate?.notices ?? []} />
    </div>
  )
}

/** The budget of a run; it applies to every run of this agent until it is changed. */
function Budget() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const budget = useView((view) => view.budget)
  const isAllowed = useView((view) => view.allowUnpriced)
  const estimate = useChecks((checks) => checks.estimate)
  const words = { estimate: dollars(estimate?.usd), budget: dollars(budget) }
  const change = (typed: string) => {
    session.view.setState({ budget: typed })
    saveBudget(session.flowId, typed)
  }
  return (
    <div className="flex flex-col gap-1.5">
      <Field label={t('run.budget')} help={t('run.budgetHelp')}>
        <Input
          type="number"
          inputMode="decimal"
          min={0}
          step="0.01"
          value={budget}
          end="USD"
          onChange={(event) => change(event.target.value)}
        />
      </Field>
      <p role="status" className="text-ochre-text text-xs empty:hidden">
        {isOverBudget(estimate, budget) && t('run.overBudget', words)}
      </p>
      {estimate?.price_unknown && budget.trim() !== '' && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is the label's control
        <label className="flex items-center gap-2 text-muted text-xs">
          <Checkbox
            checked={isAllowed}
            onCheckedChange={(checked) => session.view.setState({ allowUnpriced: checked === true })}
          />
          {t('run.allowUnpriced')}
        </label>
      )}
    </div>
  )
}
