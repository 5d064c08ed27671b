import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { useRemovalFocus } from '@/components/use-removal-focus'
import {
  draftOf,
  fieldsToCompare,
  MAX_VARIANTS,
  sameVariants,
  setDraft,
  startComparison,
  variantsOf,
} from '@/document/comparison'
import { refusalProblems } from '@/document/run-actions'
import { useBoundNode } from '@/document/use-bound-node'
import { useDocument, useSession, useView } from '@/document/use-session'
import type { ComparisonDraft } from '@/document/view-store'
import { valueIn } from '@/graph/comparable'
import { titleOf } from '@/graph/connect'
import { type FlowNode, findNode } from '@/graph/document'
import { isApiError, messageOf } from '@/lib/api/error'
import { dollars } from '@/lib/format'
import { formatEstimate, isOverBudget } from '../run/estimate'
import { ComparedSettings } from './compared-settings'
import { MissingKey, useComparisonConnect } from './connect-provider'
import { useComparer } from './use-comparer'
import { useComparisonEstimate } from './use-comparison-estimate'
import { VariantForm } from './variant-form'

/** The variants of a node, each with the settings that are compared, and what they are expected to cost. */
export function ComparisonSetup(props: { node: FlowNode }) {
  const node = useBoundNode(props.node)
  const { t } = useTranslation('compare')
  const session = useSession()
  useView((view) => view.comparisons)
  useDocument((flow) => flow.edges)
  const [error, setError] = useState('')
  const isStarting = useComparer((state) => state.busy === 'starting')
  const draft = draftOf(session, node)
  const fields = fieldsToCompare(session, node)
  const compared = draft.settings.flatMap((name) => fields.find((field) => field.name === name) ?? [])
  const all = [node.settings, ...variantsOf(node, fields, draft)]
  const values = all.map((settings) => compared.map((field) => valueIn(settings, field)))
  const { connect, dialog } = useComparisonConnect()
  const same = sameVariants(values)
  const add = useRef<HTMLButtonElement>(null)
  useRemovalFocus(values.length, () => add.current)
  const { estimate, error: reason, isFetching } = useComparisonEstimate(node, draft, same.size === 0)
  const change = (next: ComparisonDraft) => {
    setError('')
    setDraft(session, node.id, next)
  }
  const start = async () => {
    setError('')
    try {
      await startComparison(session, node, draft)
    } catch (thrown) {
      if (isApiError(thrown, 'quota_exceeded') || isApiError(thrown, 'private_beta')) {
        session.view.setState({ launchError: thrown, comparing: null })
      } else {
        setError(refusalProblems(thrown)[0]?.message ?? messageOf(thrown))
      }
    }
  }
  const canStart = same.size === 0 && compared.length > 0 && estimate?.can_run !== false && !reason
  return (
    <>
      <ComparedSettings node={node} fields={fields} draft={draft} onChange={change} />
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,236px),1fr))] gap-3">
        {values.map((_, index) => {
          const changes = draft.variants[index - 1]
          const others = draft.variants.filter((__, at) => at !== index - 1)
          return (
            <VariantForm
              // biome-ignore lint/suspicious/noArrayIndexKey: a variant is its letter
              key={index}
              index={index}
              node={node}
              fields={compared}
              values={values[index] ?? []}
              settings={all[index] ?? {}}
              onConnect={connect}
              same={same.get(index)}
              estimate={same.size === 0 ? estimate?.variants[index] : undefined}
              isEstimating={isFetching}
              {...(changes && {
                onChange: (name: string, value: unknown) =>
                  change({
                    ...draft,
                    variants: draft.variants.map((each, at) =>
                      at === index - 1 ? { ...each, [name]: value } : each,
                    ),
                  }),
                ...(values.length < MAX_VARIANTS && {
                  onDuplicate: () => change({ ...draft, variants: [...draft.variants, { ...changes }] }),
                }),
                ...(others.length > 0 && { onRemove: () => change({ ...draft, variants: others }) }),
              })}
            />
          )
        })}
        {values.length < MAX_VARIANTS && (
          <li className="grid min-h-14">
            <Button
              ref={add}
              variant="ghost"
              className="h-full rounded-m border border-hairline-strong border-dashed"
              onClick={() => change({ ...draft, variants: [...draft.variants, {}] })}
            >
              <Plus />
              {t('addVariant')}
            </Button>
          </li>
        )}
      </ul>
      {(error || reason) && (
        <p role="alert" className="text-madder-text text-sm">
          {error || messageOf(reason)}
        </p>
      )}
      {estimate?.problems.map((problem) => {
        const before = problem.code === 'missing_credential' && findNode(session.document, problem.node ?? '')
        return (
          <div key={`${problem.node} ${problem.message}`} className="flex flex-wrap items-center gap-2.5">
            <p role="alert" className="text-madder-text text-sm">
              {problem.message}
            </p>
            {before && (
              <MissingKey
                node={before}
                help={problem.hint ?? problem.message}
                label={t('connectFor', { title: titleOf(before, session.catalog) })}
              />
            )}
          </div>
        )
      })}
      <footer className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2.5">
        <div role="status" className="min-w-0 flex-1 basis-60 text-muted text-sm">
          {estimate?.can_run && same.size === 0 && <Total estimate={estimate} />}
        </div>
        <LastComparison node={node.id} />
        <Button variant="primary" busy={isStarting} disabled={!canStart} onClick={() => void start()}>
          {t('start', { count: values.length })}
        </Button>
      </footer>
      {dialog}
    </>
  )
}

type TotalProps = { estimate: NonNullable<ReturnType<typeof useComparisonEstimate>['estimate']> }

function Total({ estimate }: TotalProps) {
  const { t } = useTranslation('compare')
  const budget = useView((view) => view.budget)
  const all = { usd: estimate.usd ?? null, seconds: null, price_unknown: estimate.price_unknown ?? false }
  return (
    <>
      <p>{t('total', { what: formatEstimate(all) || t('free') })}</p>
      {Number(estimate.before_usd ?? 0) > 0 && (
        <p className="text-xs">{t('before', { usd: dollars(estimate.before_usd) })}</p>
      )}
      {isOverBudget(all, budget) && (
        <p className="text-ochre-text text-xs">{t('overBudget', { budget: dollars(budget) })}</p>
      )}
    </>
  )
}

/** Leads back to the results of the last comparison of this node. */
function LastComparison({ node }: { node: string }) {
  const { t } = useTranslation('compare')
  const session = useSession()
  const isKnown = useComparer((state) => state.run?.comparison?.node === node)
  if (!isKnown) return null
  return (
    <Button onClick={() => session.view.setState({ comparing: { node, shows: 'run' } })}>{t('last')}</Button>
  )
}
