import { CircleAlert, Repeat2, RotateCcw } from 'lucide-react'
import type { ReactElement } from 'react'
import { Button } from '@/components/button'
import { Progress } from '@/components/progress'
import { TypeIcon } from '@/components/type-icon'
import type { Problem } from '@/document/backend'
import { retryStep } from '@/document/run-actions'
import { wasDisabled } from '@/document/run-staleness'
import { useBoundNode } from '@/document/use-bound-node'
import { useChecks, useRunner, useSession, useStep } from '@/document/use-session'
import { MAP_LINE_HEIGHT } from '@/graph/card-size'
import type { NodeType, PortType } from '@/graph/catalog'
import { titleOf } from '@/graph/connect'
import type { FlowNode, Size } from '@/graph/document'
import { pinnedValues } from '@/graph/pins'
import { outputPorts, type Port, settingNames } from '@/graph/ports'
import { describeSettings } from '@/graph/setting-fields'
import { classes } from '@/lib/classes'
import { i18n } from '@/lib/i18n'
import { type MediaValue, mediaIn } from '@/lib/run/media-values'
import type { ErrorData, StepState } from '@/lib/run/types'
import { dataRepeatedBy, isStructured, previewText, sketchIn } from '@/lib/run/values'
import { toastError } from '@/lib/toasts'
import { problemTitle } from '../panels/problem-text'
import { CardData, CardText } from './card-excerpt'
import { useBlockingNode } from './card-footer'
import { CardMedia } from './card-media'
import { CardSettings, hasMainSettings } from './card-settings'

type CardBodyProps = {
  node: FlowNode
  type: NodeType | undefined
  inputs: readonly Port[]
  mapDepth: number
  selected: boolean
  /** The width of the card and the height reserved for the content, in pixels. */
  room: Size
}

/** The main content of a card: its error, the progress of its step, its result, or its settings. */
export function CardBody({ node, type, inputs, mapDepth, selected, room }: CardBodyProps) {
  const step = useStep(node.id)
  const problem = useChecks(({ byNode }) => byNode.get(node.id)?.find(({ severity }) => severity === 'error'))
  return (
    <div className="relative flex flex-none flex-col card-content pt-0.5 pb-3 legible-m text-muted leading-[1.45]">
      <div
        style={{ height: room.height }}
        // Below a problem the rest is cut off: it may have nothing to focus, so that no key would scroll it.
        className={classes(
          'scrollbar-quiet flex flex-col px-3',
          problem ? 'overflow-hidden' : 'overflow-y-auto overflow-x-hidden',
        )}
      >
        {problem && <ProblemLine problem={problem} />}
        <Content node={node} type={type} step={step} inputs={inputs} selected={selected} room={room} />
      </div>
      {mapDepth > 0 && (
        <p style={{ height: MAP_LINE_HEIGHT }} className="flex items-end gap-1.5 px-3 legible-s">
          <Repeat2 aria-hidden className="size-3.5" />
          {i18n.t('canvas:node.oncePerItem')}
        </p>
      )}
      {step.status === 'running' && (
        <Progress
          value={step.progress}
          label={i18n.t('canvas:node.running')}
          bar="bg-cobalt"
          className="absolute right-3 bottom-1 left-3 h-[3px] w-auto!"
        />
      )}
    </div>
  )
}

/** Why the node cannot run. */
function ProblemLine({ problem }: { problem: Problem }) {
  const { document, catalog } = useSession()
  return (
    <p className="-mx-3 mb-1.5 flex flex-none items-start gap-2 bg-madder/8 px-3 py-1.5 text-madder-text">
      <CircleAlert aria-hidden className="mt-px size-4 flex-none" />
      <span className="line-clamp-2 break-words">
        {problemTitle(problem, document, catalog, i18n.getFixedT(null, 'canvas'))}
      </span>
    </p>
  )
}

type ContentProps = Omit<CardBodyProps, 'mapDepth'> & { step: StepState }

function Content({ node, type, step, inputs, selected, room }: ContentProps) {
  const waiting = useBlockingNode(node.id)
  const bound = useBoundNode(node)
  if (!type) return <p>{i18n.t('canvas:node.missing', { type: node.type })}</p>
  if (node.pin && !node.mode) return madeOf(Object.values(pinnedValues(node.pin)), room)
  if (step.status === 'failed' && step.error)
    return <CardError node={node.id} error={step.error} height={room.height} />
  if (step.status === 'skipped' || step.status === 'cancelled') return <SkippedReason step={step} />
  const made = type.input === null ? madeSoFar(node, type, step, room) : null
  if (made) return made
  if (waiting) return <p>{i18n.t('canvas:node.waitingFor', { title: waiting })}</p>
  if (hasMainSettings(type))
    return <CardSettings node={node} type={type} inputs={inputs} selected={selected} room={room} />
  const words = describeSettings(bound, type, settingNames(inputs))
  if (type.input === null && givesMedia(type)) return <Reserved type={type} words={words} />
  return <p className="line-clamp-3 break-words">{words}</p>
}

/** The room of images or videos that have not been made yet. */
function Reserved({ type, words }: { type: NodeType; words: string }) {
  const made = type.outputs.find(isMedia)
  return (
    <div className="mt-1 flex min-h-0 flex-1 flex-col items-center justify-center gap-1.5 rounded-s bg-sunken px-3 text-center">
      <TypeIcon type={made?.type ?? 'Any'} className="size-5 flex-none" />
      <p className="line-clamp-3 break-words">{words}</p>
    </div>
  )
}

/** Finished outputs: their media, else their table or text. */
function madeOf(values: readonly unknown[], room: Size): ReactElement {
  const media = values.flatMap(mediaIn)
  if (media.length > 0) return <CardMedia media={media} expected={1} room={room} />
  const first = dataRepeatedBy(values[0], values) ?? values[0]
  if (isStructured(first)) return <CardData value={first} height={room.height} />
  return <CardText text={headOf(previewText(first) ?? '')} height={room.height} />
}

/** The partial or final result of the step; null while there is none. */
function madeSoFar(node: FlowNode, type: NodeType, step: StepState, room: Size): ReactElement | null {
  const running = step.status === 'running'
  const media = mediaOf(step)
  const sketch = running && media.length === 0 ? sketchIn(Object.values(step.partials).flat()) : null
  if (sketch) return <Sketch url={sketch} height={room.height} />
  if (media.length > 0 || (running && givesMedia(type))) {
    return <CardMedia media={media} expected={running ? expectedOf(step) : 1} room={room} />
  }
  const made = madeDataOf(step, type)
  if (made) return <CardData value={made} height={room.height} />
  const words = running ? tailOf(step.text) : headOf(step.text || textOf(step, node, type))
  if (words) return <CardText text={words} height={room.height} />
  if (step.retrying) return <Retrying seconds={step.retrying.seconds} />
  return running && step.message ? <p className="line-clamp-2">{step.message}</p> : null
}

/** The unfinished result, as large as the finished one will be. */
function Sketch({ url, height }: { url: string; height: number }) {
  return (
    <div style={{ height }} className="overflow-hidden rounded-s bg-sunken">
      <img
        src={url}
        alt={i18n.t('canvas:node.sketch')}
        draggable={false}
        className="size-full object-contain"
      />
    </div>
  )
}

/** Maximum length of streamed text on a card, in characters. */
const MAX_TAIL_CHARACTERS = 320

const headOf = (text: string) => text.slice(0, MAX_TAIL_CHARACTERS)

/** While text is streamed, shows its end. */
function tailOf(text: string): string {
  return text.length > MAX_TAIL_CHARACTERS / 2 ? `…${text.slice(-MAX_TAIL_CHARACTERS / 2)}` : text
}

function Retrying({ seconds }: { seconds: number }) {
  return <p>{i18n.t('canvas:node.retrying', { seconds: `${Math.ceil(seconds)} s` })}</p>
}

function SkippedReason({ step }: { step: StepState }) {
  const { document, catalog } = useSession()
  const run = useRunner((state) => state.run)
  const because = document.nodes.find((one) => one.id === step.skipped?.because)
  const title = because ? titleOf(because, catalog) : (step.skipped?.because ?? '')
  const own = document.nodes.find((one) => one.id === step.id)
  if (own?.mode === 'disabled') return <p>{i18n.t('canvas:node.skippedSelf')}</p>
  if (wasDisabled(run, step.id)) return <p>{i18n.t('canvas:node.skippedWasDisabled')}</p>
  if (
    step.skipped?.reason === 'closed' &&
    (because?.mode === 'disabled' || wasDisabled(run, because?.id ?? ''))
  )
    return <p>{i18n.t('canvas:node.skippedDisabled', { title })}</p>
  if (step.skipped?.reason === 'failed') return <p>{i18n.t('canvas:node.skippedFailed', { title })}</p>
  if (step.skipped?.reason === 'closed' && !title) return <p>{i18n.t('canvas:node.skippedUnused')}</p>
  if (step.skipped?.reason === 'closed') return <p>{i18n.t('canvas:node.skippedClosed', { title })}</p>
  if (step.skipped?.reason === 'budget') return <p>{i18n.t('canvas:node.skippedBudget')}</p>
  if (!step.skipped && step.status === 'skipped') return <p>{i18n.t('canvas:node.skippedRunEnded')}</p>
  return <p>{i18n.t('canvas:node.skippedCancelled')}</p>
}

function mediaOf(step: StepState): MediaValue[] {
  const final = Object.values(step.outputs).flatMap(mediaIn)
  return final.length > 0 ? final : Object.values(step.partials).flatMap(mediaIn)
}

/** The first output as text; of a step that took one of several branches, after the name of that branch. */
function textOf(step: StepState, node: FlowNode, type: NodeType): string {
  const first = firstOutput(type)
  if (first in step.outputs) return previewText(step.outputs[first]) ?? ''
  const taken = outputPorts(node, type).find(({ name }) => name in step.outputs)
  return taken ? [taken.title, previewText(step.outputs[taken.name])].filter(Boolean).join(': ') : ''
}

/** The structured data that a finished step has made; null if that is something else. */
function madeDataOf(step: StepState, type: NodeType): unknown {
  const first = step.outputs[firstOutput(type)]
  const made = dataRepeatedBy(first, Object.values(step.outputs)) ?? first
  return step.status === 'finished' && isStructured(made) ? made : null
}

function firstOutput({ outputs: [first] }: NodeType): string {
  return first?.name ?? 'output'
}

function givesMedia(type: NodeType): boolean {
  return type.outputs.some(isMedia)
}

function isMedia({ type }: PortType): boolean {
  return type === 'Image' || type === 'Video'
}

/** Number of expected images, where the step reports '2 of 4'. */
function expectedOf(step: StepState): number {
  const counted = /of (\d+)/.exec(step.message)
  return counted ? Math.min(4, Number(counted[1])) : 1
}

type CardErrorProps = {
  node: string
  error: ErrorData
  /** The reserved height, in pixels. */
  height: number
}

/** The room of the button below an error, in pixels. */
const RETRY_HEIGHT = 34

/** The error of a step with its remedy; with the detail for the builder. The inspector has what is cut off. */
export function CardError({ node, error, height }: CardErrorProps) {
  const session = useSession()
  const busy = useRunner((state) => state.busy !== null)
  return (
    <div className="flex flex-col items-start gap-1.5">
      <div
        className="w-full overflow-hidden"
        style={{ maxHeight: `round(down, ${session.canEdit ? height - RETRY_HEIGHT : height}px, 1lh)` }}
      >
        <p className="break-words text-madder-text">
          {(session.canEdit && error.message) || i18n.t('canvas:node.error')}
        </p>
        {session.canEdit && error.detail && error.detail !== error.message && (
          <p className="break-words font-mono legible-s">{error.detail}</p>
        )}
      </div>
      {session.canEdit && (
        <Button
          size="sm"
          busy={busy}
          className="nodrag"
          onClick={() =>
            void retryStep(session, node).catch((thrown: unknown) =>
              toastError(i18n.t('canvas:run.failedToStart'), thrown),
            )
          }
        >
          <RotateCcw />
          {i18n.t('canvas:node.tryAgain')}
        </Button>
      )}
    </div>
  )
}
