import { useChecks, useDocument, useSession, useStep, useSteps } from '@/document/use-session'
import { FOOTER_HEIGHT } from '@/graph/card-size'
import type { NodeType } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import { type FlowNode, findNode, parseEnd } from '@/graph/document'
import { indexOf } from '@/graph/graph-index'
import { modelLabelOf } from '@/graph/setting-fields'
import { dollars, seconds } from '@/lib/format'
import { modelLabel } from '@/lib/humanize'
import { i18n } from '@/lib/i18n'
import { stepOfNode } from '@/lib/run/subflow-steps'
import { isOver, type StepState } from '@/lib/run/types'
import { estimateOfNode, formatEstimate } from '../run/estimate'
import { useRunClock } from '../run/use-run-clock'

/** The model or voice on the left; on the right the actual cost and time, or the estimate before the run. */
export function CardFooter({ node, type }: { node: FlowNode; type: NodeType | undefined }) {
  const step = useStep(node.id)
  const left = modelLabel(step.madeBy?.model ?? '') || (type ? modelLabelOf(node, type) : '')
  const running = step.status === 'running'
  const expected = useExpected(node.id, step)
  const right = node.pin ? '' : step.cached ? i18n.t('canvas:node.reused') : measures(step) || expected
  return (
    <footer
      style={{ height: FOOTER_HEIGHT }}
      className="mt-auto flex flex-none items-center gap-2 border-hairline border-t px-3 legible-s text-muted"
    >
      <span className="min-w-0 flex-1 truncate">{left}</span>
      <span className="flex-none font-mono tabular-nums">
        {running && <Ticking since={step.startedAt} />}
        {running && right && ' · '}
        {right}
      </span>
    </footer>
  )
}

/** The estimate for a step that has not run; empty once it has. */
function useExpected(node: string, { status }: StepState): string {
  const waits = status === 'pending' || status === 'queued'
  const words = useChecks((checks) => (waits ? formatEstimate(estimateOfNode(checks.steps, node)) : ''))
  return words && i18n.t('canvas:node.about', { what: words })
}

/** Seconds since a step started, while it runs. */
function Ticking({ since }: { since: number | null }) {
  const now = useRunClock(500)
  return since === null ? null : `${Math.max(0, now - since).toFixed(1)} s`
}

/** Shorter durations are not shown. */
const MIN_SHOWN_SECONDS = 0.05

function measures(step: StepState): string {
  const parts = []
  if (step.seconds !== null && (step.seconds >= MIN_SHOWN_SECONDS || step.costUsd > 0))
    parts.push(seconds(step.seconds))
  if (step.costUsd > 0) parts.push(dollars(step.costUsd))
  return parts.join(' · ')
}

/** The title of the node that this one waits for in the current run; null when it waits for none. */
export function useBlockingNode(id: string): string | null {
  const { catalog } = useSession()
  const sources = useDocument((flow) => {
    const feeding = indexOf(flow, catalog).incoming.get(id) ?? []
    return feeding.map((edge) => parseEnd(edge.from).node).join(' ')
  })
  const source = useSteps(`${id} ${sources}`, (run) => {
    const status = stepOfNode(run, id)?.status
    if (isOver(run.status) || (status !== 'pending' && status !== 'queued')) return null
    return sources.split(' ').find((one) => unfinished(stepOfNode(run, one)?.status)) ?? null
  })
  return useDocument((flow) => {
    const node = source && findNode(flow, source)
    return node ? titleOf(node, catalog) : null
  })
}

function unfinished(status: string | undefined): boolean {
  return status !== undefined && status !== 'finished'
}
