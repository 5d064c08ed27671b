import { expect, it } from 'vitest'
import { emptyRun } from './reduce'
import { emptyStep } from './step'
import { timeline } from './timeline'
import type { RunState, StepState } from './types'

const runOf = (
  steps: readonly (Partial<StepState> & { id: string })[],
  more: Partial<RunState> = {},
): RunState => ({
  ...emptyRun(),
  status: 'running',
  startedAt: 100,
  order: steps.map(({ id }) => id),
  steps: Object.fromEntries(steps.map((step) => [step.id, { ...emptyStep(step.id), ...step }])),
  ...more,
})
const ahead = (seconds: Record<string, number>, sources: Record<string, string[]> = {}) => ({
  seconds: (step: string) => seconds[step] ?? null,
  sources: (node: string) => sources[node] ?? [],
})
const barsOf = (run: RunState, now: number, forecast = ahead({})) =>
  timeline(run, now, forecast).bars.map(({ start, length, expected }) => [start, length, expected])

it('ends at the end of a run that is over, and else now', () => {
  const over = runOf([], { status: 'finished', finishedAt: 110 })
  expect(timeline(over, 500)).toEqual({ bars: [], elapsed: 10, seconds: 10 })
  expect(timeline({ ...over, status: 'running' }, 130).elapsed).toBe(30)
  expect(timeline({ ...over, finishedAt: null }, 130).elapsed).toBe(30)
  expect(timeline(runOf([], { startedAt: null }), 130).elapsed).toBe(0)
})

it.each<[string, Partial<StepState>, number[]]>([
  ['finished', { status: 'finished', startedAt: 102, finishedAt: 105 }, [2, 3, 0]],
  ['finished at once', { status: 'finished', startedAt: 102, finishedAt: 102 }, [2, 0, 0]],
  ['running', { status: 'running', startedAt: 102 }, [2, 6, 3]],
  ['running with progress', { status: 'running', startedAt: 102, progress: 0.75 }, [2, 6, 2]],
  ['pending', { status: 'pending' }, [8, 0, 9]],
  ['queued', { status: 'queued' }, [8, 0, 9]],
  ['skipped', { status: 'skipped' }, [0, 0, 0]],
])('the bar of a step that is %s has its start, length and expected rest', (_, step, bar) => {
  expect(barsOf(runOf([{ id: 'write', ...step }]), 108, ahead({ write: 9 }))).toEqual([bar])
})

it('expects nothing more of a step that has just started and has no estimate', () => {
  expect(barsOf(runOf([{ id: 'write', status: 'running', startedAt: 100 }]), 100)).toEqual([[0, 0, 0]])
})

it('expects nothing of the steps of a run that is over', () => {
  const steps = [{ id: 'write' }, { id: 'paint', status: 'queued' as const }]
  const over = runOf(steps, { status: 'failed', finishedAt: 104 })
  expect(barsOf(over, 108, ahead({ write: 4, paint: 4 }))).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ])
})

it('lets a step wait for what feeds it alone, also where that takes no time or has no bar', () => {
  const steps = [{ id: 'write' }, { id: 'paint' }, { id: 'animate' }]
  const forecast = ahead({ write: 0, paint: 3, animate: 2 }, { paint: ['write'], animate: ['elsewhere'] })
  expect(barsOf(runOf(steps), 100, forecast)).toEqual([
    [0, 0, 0],
    [0, 0, 3],
    [0, 0, 2],
  ])
})

it('lets a step wait for the last inner step of a node', () => {
  const steps = [{ id: 'teaser/write' }, { id: 'teaser/speak' }, { id: 'post' }]
  const forecast = ahead({ 'teaser/write': 5, 'teaser/speak': 3, post: 1 }, { post: ['teaser'] })
  expect(barsOf(runOf(steps), 100, forecast)).toEqual([
    [0, 0, 5],
    [0, 0, 3],
    [5, 0, 1],
  ])
})

it('leaves out a step of which nothing is known', () => {
  expect(timeline({ ...runOf([]), order: ['write'] }, 100).bars).toEqual([])
})
