import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { useChecks, useSession, useStepStatus } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { classes } from '@/lib/classes'
import { cardMinHeight } from '../interactions/card-geometry'
import { type CardNode, labelId } from '../interactions/flow-nodes'
import { useLowZoom } from '../interactions/use-low-zoom'
import { OverviewCard } from '../overview/overview-card'
import { useOverview } from '../overview/use-overview'
import { CardBody } from './card-body'
import { CardFooter } from './card-footer'
import { CardHeader } from './card-header'
import { PortHandle } from './port-handle'
import { useCardLabel } from './use-card-label'

const outline = {
  selected: 'outline-2 outline-cobalt outline-offset-2',
  running: 'border-cobalt',
  failed: 'border-madder',
  problem: 'border-ochre',
} as const

/** One node on the canvas. It redraws when its own node, its own step or its own problems change. */
export const Card = memo(function Card(props: NodeProps<CardNode>) {
  const map = useOverview()
  return map ? <OverviewCard data={props.data} selected={props.selected ?? false} /> : <NearCard {...props} />
})

function NearCard({ id, data, selected = false, dragging }: NodeProps<CardNode>) {
  const { catalog } = useSession()
  const status = useStepStatus(id)
  const faulty = useChecks(
    (checks) => checks.byNode.get(id)?.some((one) => one.severity === 'error') ?? false,
  )
  const isFar = useLowZoom()
  const { node, type, inputs, outputs, lift } = data
  const title = titleOf(node, catalog)
  const label = useCardLabel(id, title, selected)
  return (
    <article
      id={labelId(id)}
      aria-label={label}
      style={{ minHeight: cardMinHeight(inputs.length, outputs.length) }}
      className={classes(
        'node-card flex w-[232px] flex-col rounded-[14px] border border-hairline bg-surface shadow-card',
        faulty && outline.problem,
        status === 'running' && outline.running,
        status === 'failed' && outline.failed,
        selected && outline.selected,
        dragging && 'shadow-float',
        !type && 'border-dashed',
      )}
    >
      <CardHeader node={node} type={type} title={title} />
      {!isFar && <CardBody node={node} type={type} inputs={inputs} lift={lift} selected={selected} />}
      {!isFar && <CardFooter node={node} type={type} />}
      {inputs.map((port, at) => (
        <PortHandle key={port.name} node={id} port={port} side="target" at={at} near={selected} />
      ))}
      {outputs.map((port, at) => (
        <PortHandle
          key={port.name}
          node={id}
          port={port}
          side="source"
          at={at}
          near={selected}
          lifted={lift > 0}
        />
      ))}
    </article>
  )
}
