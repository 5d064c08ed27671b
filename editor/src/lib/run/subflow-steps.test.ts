import { describe, expect, it } from 'vitest'
import { emptyRun } from './reduce'
import { emptyStep } from './step'
import { stepOfNode } from './subflow-steps'
import type { RunState, StepState, StepStatus } from './types'

function runOf(...steps: StepState[]): RunState {
  return {
    ...emptyRun(),
    order: steps.map(({ id }) => id),
    steps: Object.fromEntries(steps.map((step) => [step.id, step])),
  }
}

const step = (id: string, status: StepStatus, more: Partial<StepState> = {}): StepState => ({
  ...emptyStep(id),
  status,
  ...more,
})

describe('the step of a node that runs another agent', () => {
  it.each<[StepStatus[], StepStatus]>([
    [['finished', 'running'], 'running'],
    [['running', 'failed'], 'running'],
    [['finished', 'pending'], 'running'],
    [['skipped', 'queued'], 'running'],
    [['finished', 'failed'], 'failed'],
    [['pending', 'failed'], 'failed'],
    [['cancelled', 'failed'], 'failed'],
    [['finished', 'cancelled'], 'cancelled'],
    [['pending', 'queued'], 'queued'],
    [['pending', 'pending'], 'pending'],
    [['finished', 'finished'], 'finished'],
    [['skipped', 'finished'], 'finished'],
    [['skipped', 'skipped'], 'skipped'],
    [['skipped'], 'skipped'],
  ])('of the inner steps %j is %s', (inner, status) => {
    const run = runOf(...inner.map((each, index) => step(`teaser/${index}`, each)))
    expect(stepOfNode(run, 'teaser')?.status).toBe(status)
  })

  it('has the times of its only inner step', () => {
    const run = runOf(step('teaser/a', 'finished', { startedAt: 3, finishedAt: 5 }))
    expect(stepOfNode(run, 'teaser')).toMatchObject({ startedAt: 3, finishedAt: 5, seconds: 2 })
  })

  it('counts the inner steps that have ended while it is running, and no longer', () => {
    const inner = [step('teaser/a', 'finished'), step('teaser/b', 'skipped'), step('teaser/c', 'running')]
    const running = stepOfNode(runOf(...inner), 'teaser')
    expect(running).toMatchObject({ message: '2 of 3', finishedAt: null, seconds: null })
    expect(running?.progress).toBeCloseTo(2 / 3)
    const ended = stepOfNode(runOf(step('teaser/a', 'finished')), 'teaser')
    expect(ended).toMatchObject({ message: '', progress: null })
  })

  it('takes from the first start to the last end, and costs what all cost', () => {
    const inner = [
      step('teaser/a', 'finished', { startedAt: 12, finishedAt: 15, costUsd: 0.5, cached: true }),
      step('teaser/b', 'finished', { startedAt: 10, finishedAt: 13, costUsd: 0.25, cached: true }),
    ]
    expect(stepOfNode(runOf(...inner), 'teaser')).toMatchObject({
      id: 'teaser',
      startedAt: 10,
      finishedAt: 15,
      seconds: 5,
      costUsd: 0.75,
      cached: true,
    })
    const executed = inner.map((each, index) => ({ ...each, cached: index > 0 }))
    expect(stepOfNode(runOf(...executed), 'teaser')?.cached).toBe(false)
  })

  it('has no times before its first step starts, nor an end before the last one ends', () => {
    expect(stepOfNode(runOf(step('teaser/a', 'skipped')), 'teaser')).toMatchObject({
      startedAt: null,
      finishedAt: null,
    })
    expect(stepOfNode(runOf(step('teaser/a', 'queued')), 'teaser')).toMatchObject({
      startedAt: null,
      finishedAt: null,
      seconds: null,
    })
    const half = [
      step('teaser/a', 'finished', { startedAt: 1, finishedAt: 2 }),
      step('teaser/b', 'running', { startedAt: 2 }),
    ]
    expect(stepOfNode(runOf(...half), 'teaser')).toMatchObject({
      startedAt: 1,
      finishedAt: null,
      seconds: null,
    })
  })

  it('has the error of the failed inner step', () => {
    const error = { code: 'moderated', message: 'No.' }
    const inner = [step('teaser/a', 'finished'), step('teaser/b', 'failed', { error } as Partial<StepState>)]
    expect(stepOfNode(runOf(...inner), 'teaser')?.error).toEqual(error)
    expect(stepOfNode(runOf(step('teaser/a', 'finished')), 'teaser')?.error).toBeNull()
  })

  it('belongs to each of several such nodes, and a step of its own comes first', () => {
    const run = runOf(step('one/a', 'failed'), step('two/a', 'finished'), step('two', 'cancelled'))
    expect(stepOfNode(run, 'one')?.status).toBe('failed')
    expect(stepOfNode(run, 'two')?.status).toBe('cancelled')
    expect(stepOfNode(run, 'three')).toBeUndefined()
  })
})
