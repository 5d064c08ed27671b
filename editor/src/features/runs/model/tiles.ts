/** The results of a run as the tiles of a gallery, with final positions from the start. */

import { type Content, contentOf } from '@/lib/run/meanings'
import { isMask, isMedia, type MediaValue, mediaIn } from '@/lib/run/media-values'
import { isOver, type RunStatus, type StepState } from '@/lib/run/types'
import { expectedResult, type FlowDocument, ratioName } from './expected-results'

export type TileKind = 'image' | 'mask' | 'video' | 'audio' | 'file' | 'text' | 'data'
export type TileState = 'waiting' | 'running' | 'ready' | 'failed' | 'skipped' | 'stopped'

export type TileStep = Pick<
  StepState,
  'status' | 'progress' | 'message' | 'text' | 'error' | 'outputs' | 'partials' | 'skipped'
>

export interface TileResult {
  step: string
  port: string
  title?: string | null
  type: string
  list: boolean
  /** What the value is, as its node type declares. */
  meaning?: string | null
  /** The port of the same step that this one is the plain text of. */
  text_of?: string | null
  value?: unknown
}

export interface TileRun {
  status: RunStatus
  inputs: Record<string, unknown>
  flow: FlowDocument
  results: readonly TileResult[]
  step: (id: string) => TileStep | undefined
}

export interface Tile {
  key: string
  step: string
  port: string
  kind: TileKind
  title: string
  /** Its path in the lists of the port's value; empty if it is the value itself, or in an object. */
  place: readonly number[]
  /** Its position among the tiles of its step, from 1. */
  number: number
  of: number
  state: TileState
  /** The value by its declared meaning; null if it has none. */
  content: Content | null
  /** The port of the same step that this one is the plain text of. */
  textOf: string | null
  ratio: number | null
  ratioName: string | null
  value: unknown
  media: MediaValue | null
  /** A preview of an unfinished result. */
  preview: MediaValue | null
  /** The text streamed so far, while running. */
  text: string | null
  progress: number | null
  message: string | null
  error: string | null
}

const KINDS: Record<string, TileKind> = {
  Image: 'image',
  Mask: 'mask',
  Video: 'video',
  Audio: 'audio',
  File: 'file',
  Text: 'text',
  Number: 'text',
  Integer: 'text',
  Boolean: 'text',
}

const DEFAULT_RATIOS: Partial<Record<TileKind, number>> = { image: 1, mask: 1, video: 16 / 9 }

export function tilesOf(run: TileRun): Tile[] {
  const tiles = run.results.flatMap((result) => tilesOfResult(run, result))
  return [...tiles.filter(isVisual), ...tiles.filter((tile) => !isVisual(tile))]
}

export function isVisual(tile: Pick<Tile, 'kind'>): boolean {
  return tile.kind === 'image' || tile.kind === 'mask' || tile.kind === 'video'
}

function tilesOfResult(run: TileRun, result: TileResult): Tile[] {
  const step = run.step(result.step)
  const value = step?.outputs[result.port] ?? result.value ?? null
  const whole = contentOf(result.meaning, value)
  const values = value === null ? [] : whole ? [{ value, place: [] }] : itemsOf(value, result.list)
  const shown = value === null ? previews(result, step) : []
  const expected = expectedResult(run.flow, result.step, run.inputs)
  const of = value === null ? Math.max(shown.length, result.list ? expected.count : 1) : values.length
  const first = result.type.replace(/^list\[(.+)\]$/, '$1')
  // A port of type Any downstream of a node with an aspect ratio will show images.
  const guess = first === 'Any' && expected.ratio !== null ? 'image' : 'data'
  return Array.from({ length: of }, (_, index) => ({
    key: `${result.step}.${result.port}.${index}`,
    step: result.step,
    port: result.port,
    title: result.title || result.step,
    number: index + 1,
    of,
    place: values[index]?.place ?? (result.list ? [index] : []),
    preview: shown[index] ?? null,
    content: contentOf(result.meaning, values[index]?.value),
    textOf: result.text_of ?? null,
    ...mediaOf(values[index]?.value ?? null, KINDS[first] ?? guess, expected.ratio),
    ...conditionOf(values[index]?.value ?? null, run, step),
  }))
}

type Item = { value: unknown; place: readonly number[] }

/** A step mapped over a list of lists returns nested lists: each asset still gets a tile. */
function itemsOf(value: unknown, list: boolean): Item[] {
  if (!Array.isArray(value)) return [{ value, place: [] }]
  const media = mediaWithPlace(value, [])
  if (media.length > 0) return media
  return list ? value.map((item, index) => ({ value: item, place: [index] })) : [{ value, place: [] }]
}

function mediaWithPlace(value: unknown, place: readonly number[]): Item[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => mediaWithPlace(item, [...place, index]))
  if (isMask(value)) return [{ value, place }]
  return mediaIn(value).map((media) => ({ value: media, place: isMedia(value) ? place : [] }))
}

/** Previews of a running step, each at the index of its item. */
function previews(result: TileResult, step: TileStep | undefined): (MediaValue | null)[] {
  if (step?.status !== 'running') return []
  return Array.from(step.partials[result.port] ?? [], (value) => (isMedia(value) ? value : null))
}

function mediaOf(value: unknown, declared: TileKind, expected: number | null) {
  const media = isMask(value) ? value.image : isMedia(value) ? value : null
  const isOfMask = isMask(value) || declared === 'mask'
  const kind = isOfMask ? 'mask' : ((media && KINDS[media.$type]) ?? declared)
  const ratio = ratioOfMedia(media) ?? expected ?? DEFAULT_RATIOS[kind] ?? null
  return { value, media, kind, ratio, ratioName: isVisual({ kind }) ? ratioName(ratio) : null }
}

function conditionOf(value: unknown, run: TileRun, step: TileStep | undefined) {
  const state: TileState = value === null ? stateOf(run.status, step) : 'ready'
  const failedStep = step?.skipped?.because ? run.step(step.skipped.because) : step
  return {
    state,
    text: value === null ? step?.text || null : null,
    progress: step?.progress ?? null,
    message: step?.message || null,
    error: state === 'failed' ? (failedStep?.error?.message ?? null) : null,
  }
}

function ratioOfMedia(media: MediaValue | null): number | null {
  const { width, height } = media ?? {}
  return typeof width === 'number' && typeof height === 'number' && height > 0 ? width / height : null
}

const STATES: Record<StepState['status'], TileState> = {
  pending: 'waiting',
  queued: 'waiting',
  running: 'running',
  failed: 'failed',
  skipped: 'skipped',
  cancelled: 'stopped',
  // A finished step without a value for this port has closed it.
  finished: 'skipped',
}

function stateOf(status: RunStatus, step: TileStep | undefined): TileState {
  const reason = step?.skipped?.reason
  if (reason === 'failed' || reason === 'budget') return 'failed'
  if (step?.status === 'skipped' && !step.skipped) return 'stopped' // the run ended before the step could start
  const state = STATES[step?.status ?? 'pending']
  return isOver(status) && (state === 'waiting' || state === 'running') ? 'stopped' : state
}

/**
 * Leaves out results that will not arrive, further ports of a step until they have a value (a node with a text port
 * and a JSON port often fills only the first), and what another tile shows already.
 */
export function shownTiles(tiles: readonly Tile[]): Tile[] {
  const first = new Map<string, string>()
  for (const { step, port } of tiles) if (!first.has(step)) first.set(step, port)
  const arriving = tiles.filter(
    ({ state, step, port }) => state === 'ready' || (state !== 'skipped' && first.get(step) === port),
  )
  const shown = withoutRepeats(arriving)
  return shown.map((tile) => ({ ...tile, title: plainTitle(tile, shown, tiles) }))
}

/** Leaves out the plain text of another result, and values that an earlier result of another port has. */
function withoutRepeats(tiles: readonly Tile[]): Tile[] {
  const ready = tiles.filter((tile) => tile.state === 'ready')
  const filled = new Set(ready.map(({ step, port }) => `${step}.${port}`))
  const owners = new Map<string, string>()
  return tiles.filter(({ state, step, port, textOf, value }) => {
    if (state !== 'ready') return true
    if (textOf !== null && filled.has(`${step}.${textOf}`)) return false
    const [owner, same] = [`${step}.${port}`, JSON.stringify(value)]
    if (!owners.has(same)) owners.set(same, owner)
    return owners.get(same) === owner
  })
}

/** Distinguishes `Launch copy: Text` from another port of its node; `Launch copy` if only one of them is shown. */
function plainTitle({ step, port, title }: Tile, shown: readonly Tile[], all: readonly Tile[]): string {
  const sisters = all.filter((tile) => tile.step === step && tile.port !== port)
  if (sisters.length === 0 || shown.some((tile) => tile.step === step && tile.port !== port)) return title
  const node = title.slice(0, Math.max(0, title.lastIndexOf(': ')))
  return node && sisters.every((tile) => tile.title.startsWith(`${node}: `)) ? node : title
}
