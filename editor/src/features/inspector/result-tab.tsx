import { Pin } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { EmptyState } from '@/components/surfaces'
import { pinForNode, togglePin } from '@/document/actions'
import { useSession, useStep } from '@/document/use-session'
import type { NodeType } from '@/graph/catalog'
import type { FlowNode } from '@/graph/document'
import { outputPorts } from '@/graph/ports'
import { dollars, seconds } from '@/lib/format'
import { modelLabel } from '@/lib/humanize'
import { useProviderTitle } from '@/lib/provider-title'
import type { StepState } from '@/lib/run/types'
import { dataRepeatedBy } from '@/lib/run/values'
import { PinnedResult } from './pinned-result'
import { ResultValue } from './result-value'

/** The result of the node in the current run, and its inputs. */
export function ResultTab({ node, type }: { node: FlowNode; type: NodeType | undefined }) {
  const { t } = useTranslation('inspector')
  const step = useStep(node.id)
  const session = useSession()
  const ports = outputPorts(node, type)
  if (node.pin) return <PinnedResult node={node} pin={node.pin} />
  const made = Object.values(step.outputs)
  const values = ports.filter(({ name }) => name in step.outputs && !dataRepeatedBy(step.outputs[name], made))
  if (step.status === 'failed' && step.error) return <Failure step={step} />
  if (values.length === 0 && step.text) return <ResultValue value={step.text} />
  if (values.length === 0) return <EmptyState title={t('results.none')}>{t('results.noneText')}</EmptyState>
  return (
    <div className="flex flex-col gap-4">
      {values.map((port) => (
        <section key={port.name} className="flex flex-col gap-2">
          {values.length > 1 && <h3 className="font-semibold text-faint text-xs">{port.title}</h3>}
          <ResultValue value={step.outputs[port.name]} />
        </section>
      ))}
      {session.canEdit && pinForNode(session, node) && (
        <Button size="sm" className="self-start" onClick={() => togglePin(session)}>
          <Pin />
          {t('results.pin')}
        </Button>
      )}
      {step.cached && <p className="text-muted text-xs">{t('results.reused')}</p>}
      <Facts step={step} />
    </div>
  )
}

function Failure({ step }: { step: StepState }) {
  const { t } = useTranslation('inspector')
  const { canEdit } = useSession()
  return (
    <div className="flex flex-col gap-3">
      <p className="break-words text-madder-text">{(canEdit && step.error?.message) || t('results.error')}</p>
      {canEdit && step.error?.detail && (
        <section>
          <h3 className="mb-1 font-semibold text-faint text-xs">{t('results.errorDetail')}</h3>
          <pre className="scrollbar-quiet overflow-x-auto whitespace-pre-wrap break-words rounded-s bg-sunken p-3 font-mono text-[11.5px]">
            {step.error.detail}
          </pre>
        </section>
      )}
      <Facts step={step} />
    </div>
  )
}

function Facts({ step }: { step: StepState }) {
  const { t } = useTranslation('inspector')
  const titleOf = useProviderTitle()
  const made = step.madeBy
  const facts: [string, string][] = []
  if (made?.model)
    facts.push([
      t('results.model'),
      [modelLabel(made.model), made.provider && titleOf(made.provider)].filter(Boolean).join(', '),
    ])
  if (made?.seed !== null && made?.seed !== undefined) facts.push([t('results.seed'), String(made.seed)])
  if (step.seconds !== null) facts.push([t('results.duration'), seconds(step.seconds)])
  facts.push([t('results.cost'), dollars(step.costUsd)])
  return (
    <dl className="grid wrap-anywhere grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-hairline border-t pt-3 text-xs">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="truncate text-right font-mono text-[11.5px]">{value}</dd>
        </div>
      ))}
      {made?.prompt && (
        <div className="col-span-2 mt-1">
          <dt className="text-muted">{t('results.prompt')}</dt>
          <dd className="mt-0.5 break-words">{made.prompt}</dd>
        </div>
      )}
    </dl>
  )
}
