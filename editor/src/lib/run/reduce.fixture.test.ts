import { describe, expect, it } from 'vitest'
import cases from '../../../../tests/fixtures/run_events.json'
import { applyEvents, emptyRun, fromRun } from './reduce'
import type { RunEvent, RunSnapshot, StepState } from './types'

/** Every field of a step as the fixture has it; `partials` is the editor's own. */
function sharedFields(step: StepState | undefined) {
  if (!step) return undefined
  const { error, madeBy } = step
  return {
    id: step.id,
    node_type: step.nodeType,
    title: step.title,
    status: step.status,
    cached: step.cached,
    progress: step.progress,
    message: step.message,
    text: step.text,
    outputs: step.outputs,
    error: error && {
      code: error.code,
      message: error.message,
      detail: error.detail,
      retryable: error.retryable,
      provider: error.provider,
    },
    seconds: step.seconds,
    started_at: step.startedAt,
    finished_at: step.finishedAt,
    cost_usd: step.costUsd,
    skipped: step.skipped,
    retrying: step.retrying,
    made_by: madeBy,
  }
}

const iso = (time: number | null) => (time === null ? null : new Date(time * 1000).toISOString())

describe('applyEvents', () => {
  it.each(cases)('folds the events of a $name like the server', ({ events, steps }) => {
    const run = applyEvents(emptyRun(), events as RunEvent[])
    expect(run.order.map((id) => sharedFields(run.steps[id]))).toEqual(steps)
  })
})

describe('fromRun', () => {
  it.each(cases)('reads every field of the steps of a $name from the server’s snapshot', ({ steps }) => {
    const run = fromRun({
      ...{
        status: 'running',
        started_at: null,
        finished_at: null,
        seconds: null,
        cost_usd: null,
        last_seq: 1,
      },
      steps: steps.map((step) => ({
        ...step,
        started_at: iso(step.started_at),
        finished_at: iso(step.finished_at),
        cost_usd: String(step.cost_usd),
      })) as unknown as RunSnapshot['steps'],
    })
    expect(run.order.map((id) => sharedFields(run.steps[id]))).toEqual(steps)
  })
})
