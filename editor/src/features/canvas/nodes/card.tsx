import { type NodeProps, useUpdateNodeInternals } from '@xyflow/react'
import {
  Braces,
  Check,
  CircleAlert,
  CircleArrowUp,
  CircleSlash,
  Clock3,
  Pin,
  Redo2,
  RotateCw,
  SquareUserRound,
} from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { NodeTile } from '@/components/node/node-appearance'
import type { Problem } from '@/document/backend'
import { useCatalog, useChecks, useSession, useStep, useStepStatus } from '@/document/use-session'
import { updateOf } from '@/graph/agent-updates'
import { hasFooter, PORT_STEP, sizeOfShape } from '@/graph/card-size'
import type { NodeType } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import type { FlowNode } from '@/graph/document'
import { isStateNote, stateOf } from '@/graph/pins'
import { settingAt } from '@/graph/setting-fields'
import { classes } from '@/lib/classes'
import { i18n } from '@/lib/i18n'
import type { StepState } from '@/lib/run/types'
import { type CardNode, labelId } from '../interactions/canvas-elements'
import { useIsBlock } from '../interactions/use-block'
import { useLowZoom } from '../interactions/use-low-zoom'
import { OverviewCard } from '../overview/overview'
import { problemNumber } from '../panels/problem-text'
import { CardBody } from './card-body'
import { CardFooter } from './card-footer'
import { PortHandle } from './port-handle'

const outline = {
  selected: 'outline-2 outline-cobalt outline-offset-2',
  running: 'border-cobalt',
  failed: 'border-madder',
  problem: 'border-madder ring-1 ring-madder',
} as const

/** One node on the canvas. It re-renders when its own node, step or problems change. */
export const Card = memo(function Card(props: NodeProps<CardNode>) {
  const isBlock = useIsBlock()
  return isBlock ? (
    <OverviewCard data={props.data} selected={props.selected ?? false} />
  ) : (
    <NearCard {...props} />
  )
})

function NearCard({ id, data, selected = false, dragging }: NodeProps<CardNode>) {
  const { catalog } = useSession()
  const status = useStepStatus(id)
  const number = useChecks(({ problems }) => problemNumber(problems, id))
  const isFar = useLowZoom()
  const { node, type, inputs, outputs, mapDepth, room } = data
  const title = titleOf(node, catalog)
  const label = useCardLabel(node, title, selected)
  const rows = Math.max(inputs.length, outputs.length)
  useMeasuredHandles(id, data)
  return (
    <article
      id={labelId(id)}
      aria-label={label}
      style={sizeOfShape(data)}
      className={classes(
        'node-card relative flex flex-col rounded-[14px] border border-hairline bg-surface shadow-card',
        number > 0 && outline.problem,
        status === 'running' && outline.running,
        status === 'failed' && outline.failed,
        selected && outline.selected,
        dragging && 'shadow-float',
        (!type || node.mode) && 'border-dashed',
        node.mode && 'bg-sunken',
      )}
    >
      <CardHeader node={node} type={type} title={title} />
      {number > 0 && <ProblemNumber number={number} />}
      <div aria-hidden className="flex-none" style={{ height: rows * PORT_STEP }} />
      {!isFar && (
        <CardBody
          node={node}
          type={type}
          inputs={inputs}
          mapDepth={mapDepth}
          selected={selected}
          room={room}
        />
      )}
      {!isFar && hasFooter(type) && <CardFooter node={node} type={type} />}
      {inputs.map((port, at) => (
        <PortHandle
          key={port.name}
          node={id}
          port={port}
          side="target"
          at={at}
          near={selected}
          wide={at >= outputs.length}
          isFar={isFar}
        />
      ))}
      {outputs.map((port, at) => (
        <PortHandle
          key={port.name}
          node={id}
          port={port}
          side="source"
          at={at}
          near={selected}
          wide={at >= inputs.length}
          isFar={isFar}
          isMapped={mapDepth > 0}
        />
      ))}
    </article>
  )
}

/** Lets React Flow find the handles again when an edge turns a setting into a port, or no longer does. */
function useMeasuredHandles(id: string, { inputs, outputs }: CardNode['data']) {
  const measure = useUpdateNodeInternals()
  const names = [...inputs, ...outputs].map((port) => port.name).join(' ')
  const measured = useRef(names)
  useEffect(() => {
    if (measured.current === names) return
    measured.current = names
    measure(id)
  }, [names, measure, id])
}

type CardHeaderProps = { node: FlowNode; type: NodeType | undefined; title: string }

export function CardHeader({ node, type, title }: CardHeaderProps) {
  const step = useStep(node.id)
  return (
    <header className="flex h-[42px] flex-none items-center gap-[9px] px-3">
      <NodeTile type={type} />
      <h3 className="card-title min-w-0 flex-1 truncate font-semibold legible-l" title={title}>
        {title}
      </h3>
      <Update node={node} />
      <Exposed node={node} type={type} />
      <Variables node={node} type={type} />
      <Problems node={node.id} />
      {stateOf(node) ? <State node={node} /> : <Status step={step} />}
    </header>
  )
}

/** What runs do with the node instead of calling it. */
function State({ node }: { node: FlowNode }) {
  const state = stateOf(node)
  if (!state) return null
  return (
    <span className="flex flex-none items-center gap-1 rounded-pill bg-cobalt/10 px-2 py-0.5 legible-s text-cobalt-text">
      {state === 'pinned' && <Pin aria-hidden className="size-3" />}
      {state === 'bypassed' && <Redo2 aria-hidden className="size-3" />}
      {state === 'disabled' && <CircleSlash aria-hidden className="size-3" />}
      {i18n.t(`canvas:node.state.${state}`)}
    </span>
  )
}

/** That the agent which the node runs has a newer version; shows what it changes. */
function Update({ node }: { node: FlowNode }) {
  const session = useSession()
  const update = updateOf(node, useCatalog())
  if (!update) return null
  const words = i18n.t('canvas:agentUpdate.available', { number: update.to })
  return (
    <button
      type="button"
      aria-label={words}
      title={words}
      disabled={!session.canEdit}
      className="nodrag flex h-6 flex-none items-center gap-1 rounded-pill bg-cobalt/10 px-1.5 font-medium legible-s text-cobalt-text enabled:hover:bg-cobalt/20"
      onClick={() => {
        session.view.select([node.id])
        session.view.open('agentUpdate')
      }}
    >
      <CircleArrowUp aria-hidden className="size-3.5" />
      {update.to}
    </button>
  )
}

/** The settings that launchers of the agent may set. */
function Exposed({ node, type }: { node: FlowNode; type: NodeType | undefined }) {
  const names = Object.keys(node.exposed ?? {})
  if (names.length === 0) return null
  const titles = names.map((name) => titleOfExposed(node, type, name))
  const words = i18n.t('canvas:node.exposed', { titles: titles.join(', ') })
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className="flex flex-none items-center gap-0.5 font-medium legible-s text-muted"
    >
      <SquareUserRound aria-hidden className="size-3.5" />
      {names.length}
    </span>
  )
}

function titleOfExposed(node: FlowNode, type: NodeType | undefined, name: string): string {
  const inner = type?.agentInputs?.find((input) => input.name === name)
  return node.exposed?.[name]?.label ?? inner?.label ?? settingAt(type, name).title
}

/** The settings that variables set. */
function Variables({ node, type }: { node: FlowNode; type: NodeType | undefined }) {
  const uses = Object.entries(node.variables ?? {})
  if (uses.length === 0) return null
  const named = uses.map(([setting, name]) => `${settingAt(type, setting).title}: ${name}`)
  const words = i18n.t('canvas:node.variables', { list: named.join(', ') })
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className="flex flex-none items-center gap-0.5 font-medium legible-s text-cobalt-text"
    >
      <Braces aria-hidden className="size-3.5" />
      {uses.length}
    </span>
  )
}

/** The number of the problem in the list of problems. */
function ProblemNumber({ number }: { number: number }) {
  return (
    <span
      aria-hidden
      className="absolute -top-2.5 -right-2.5 grid size-5 place-items-center rounded-pill bg-madder font-semibold text-[11.5px] text-paper"
    >
      {number}
    </span>
  )
}

function Problems({ node }: { node: string }) {
  const count = useChecks(({ byNode }) => problemsIn(byNode.get(node)).length)
  const isFaulty = useChecks(({ problems }) => problemNumber(problems, node) > 0)
  if (count === 0 || isFaulty) return null
  const words = i18n.t('canvas:node.problems', { count })
  return (
    <span role="img" aria-label={words} title={words} className="text-ochre-text">
      <CircleAlert aria-hidden className="size-4" />
    </span>
  )
}

function Status({ step }: { step: StepState }) {
  switch (step.status) {
    case 'finished':
      return <Check role="img" aria-label={i18n.t('canvas:node.finished')} className="size-4 text-viridian" />
    case 'failed':
      return (
        <CircleAlert role="img" aria-label={i18n.t('canvas:node.failed')} className="size-4 text-madder" />
      )
    case 'queued':
      return <Clock3 role="img" aria-label={i18n.t('canvas:node.queued')} className="size-4 text-muted" />
    case 'skipped':
    case 'cancelled':
      return (
        <CircleSlash
          role="img"
          aria-label={i18n.t(`canvas:node.${step.status}`)}
          className="size-4 text-faint"
        />
      )
    case 'running':
      return <Running step={step} />
    default:
      return null
  }
}

/** Progress as a count of items if known, else as a percentage, else as 'running'. */
function Running({ step }: { step: StepState }) {
  const counted = /^(\d+) of (\d+)/.exec(step.message)
  const look = 'flex-none font-mono legible-s text-cobalt-text'
  if (counted)
    return (
      <span className={look}>
        {i18n.t('canvas:node.of', { done: String(counted[1]), all: String(counted[2]) })}
      </span>
    )
  if (step.progress !== null) return <span className={look}>{Math.round(step.progress * 100)} %</span>
  return (
    <RotateCw
      role="img"
      aria-label={i18n.t('canvas:node.running')}
      className="size-4 animate-turn text-cobalt"
    />
  )
}

/** The problems of a node, without the warnings that repeat its state. */
function problemsIn(problems: readonly Problem[] = []): readonly Problem[] {
  return problems.filter(({ code }) => !isStateNote(code))
}

/** The accessible name of a card: its title, step status, problems and selection. */
export function useCardLabel(node: FlowNode, title: string, selected: boolean): string {
  const { id } = node
  const state = stateOf(node)
  const status = useStepStatus(id)
  const messages = useChecks((checks) =>
    problemsIn(checks.byNode.get(id))
      .map(({ message }) => message)
      .join(' '),
  )
  const count = useChecks((checks) => problemsIn(checks.byNode.get(id)).length)
  const parts = [
    title,
    state && i18n.t(`canvas:node.state.${state}`),
    status !== 'pending' && i18n.t(`canvas:node.${status}`),
    count > 0 && i18n.t('keyboard:node.problems', { count, messages }),
    selected && i18n.t('keyboard:node.selected'),
  ]
  return parts.filter(Boolean).join(', ')
}
