import { describe, expect, it } from 'vitest'
import cases from '../../../../tests/fixtures/run_events.json'
import { applyEvents, emptyRun } from './reduce'
import type { RunEvent, StepState } from './types'

/** The fields that the server's and the editor's fold have in common. */
function sharedFields(step: StepState | undefined) {
  return (
    step && {
      id: step.id,
      node_type: step.nodeType,
      title: step.title,
      status: step.status,
      cached: step.cached,
      text: step.text,
      outputs: step.outputs,
      error_code: step.error?.code ?? null,
      skipped: step.skipped,
      started_at: step.startedAt,
      seconds: step.seconds,
      cost_usd: step.costUsd,
    }
  )
}

describe('applyEvents', () => {
  it.each(cases)('folds the events of a $name like the server', ({ events, steps }) => {
    const run = applyEvents(emptyRun(), events as RunEvent[])
    expect(run.order.map((id) => sharedFields(run.steps[id]))).toEqual(steps)
  })
})
