import { Check, CircleAlert, CircleSlash, Clock3, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { NodeTile } from '@/components/node/node-tile'
import { useChecks, useStep } from '@/document/use-session'
import type { NodeType } from '@/graph/catalog'
import type { FlowNode } from '@/graph/document'
import type { StepState } from '@/lib/run/types'

type CardHeaderProps = { node: FlowNode; type: NodeType | undefined; title: string }

export function CardHeader({ node, type, title }: CardHeaderProps) {
  const step = useStep(node.id)
  return (
    <header className="flex h-[42px] flex-none items-center gap-[9px] px-3">
      <NodeTile type={type} />
      <h3 className="min-w-0 flex-1 truncate font-semibold text-[13.5px]" title={title}>
        {title}
      </h3>
      <Problems node={node.id} />
      <Status step={step} />
    </header>
  )
}

function Problems({ node }: { node: string }) {
  const { t } = useTranslation('canvas')
  const count = useChecks((checks) => checks.byNode.get(node)?.length ?? 0)
  if (count === 0) return null
  const words = t('node.problems', { count })
  return (
    <span role="img" aria-label={words} title={words} className="text-ochre-text">
      <CircleAlert aria-hidden className="size-4" />
    </span>
  )
}

function Status({ step }: { step: StepState }) {
  const { t } = useTranslation('canvas')
  switch (step.status) {
    case 'finished':
      return <Check role="img" aria-label={t('node.finished')} className="size-4 text-viridian" />
    case 'failed':
      return <CircleAlert role="img" aria-label={t('node.failed')} className="size-4 text-madder" />
    case 'queued':
      return <Clock3 role="img" aria-label={t('node.queued')} className="size-4 text-muted" />
    case 'skipped':
    case 'cancelled':
      return <CircleSlash role="img" aria-label={t(`node.${step.status}`)} className="size-4 text-faint" />
    case 'running':
      return <Running step={step} />
    default:
      return null
  }
}

/** How far: items where they are counted, else percent, else that it is under way. */
function Running({ step }: { step: StepState }) {
  const { t } = useTranslation('canvas')
  const counted = /^(\d+) of (\d+)/.exec(step.message)
  const look = 'flex-none font-mono text-[11.5px] text-cobalt-text'
  if (counted)
    return <span className={look}>{t('node.of', { done: String(counted[1]), all: String(counted[2]) })}</span>
  if (step.progress !== null) return <span className={look}>{Math.round(step.progress * 100)} %</span>
  return <RotateCw role="img" aria-label={t('node.running')} className="size-4 animate-turn text-cobalt" />
}
