import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mediaIn } from './media-values'
import { applyEvents, emptyRun, fromRun } from './reduce'
import { stepOfNode } from './subflow-steps'
import { timeline } from './timeline'
import type { RunEvent, StepState } from './types'
import { asText } from './values'

let seq = 0
const event = (type: string, step: string | null = null, data: Record<string, unknown> = {}): RunEvent => ({
  seq: ++seq,
  type,
  time: 100 + seq,
  step,
  data,
})

function story(): RunEvent[] {
  seq = 0
  return [
    event('run.started', null, { steps: [{ id: 'write', type: 'language_model', title: 'Write' }] }),
    event('step.queued', 'write'),
    event('step.started', 'write'),
    event('step.partial', 'write', { port: 'output', delta: 'Late ' }),
    event('step.partial', 'write', { port: 'output', delta: 'August' }),
    event('step.progress', 'write', { fraction: 0.5, message: 'Half' }),
    event('step.finished', 'write', { outputs: { output: 'Late August' }, seconds: 2, cost_usd: 0.02 }),
    event('step.started', 'paint'),
    event('step.partial', 'paint', { port: 'output', item: [1], value: { $type: 'Image', asset_id: 'a' } }),
    event('step.failed', 'paint', { error: { code: 'moderated', message: 'No.' }, seconds: 1, cost_usd: 0 }),
    event('step.skipped', 'animate', { because: 'paint', reason: 'failed' }),
    event('run.failed', null, {
      seconds: 10,
      cost_usd: 0.02,
      error: { code: 'step_failed', message: 'No.' },
    }),
  ]
}

describe('applyEvents', () => {
  it('follows a run from start to end', () => {
    const run = applyEvents(emptyRun(), story())
    expect(run).toMatchObject({ status: 'failed', seconds: 10, costUsd: 0.02, lastSeq: 12 })
    expect(run.order).toEqual(['write', 'paint', 'animate'])
    expect(run.steps.write).toMatchObject({ status: 'finished', text: 'Late August', seconds: 2 })
    expect(run.steps.paint).toMatchObject({ status: 'failed', error: { code: 'moderated' } })
    expect(run.steps.paint?.partials.output?.[1]).toEqual({ $type: 'Image', asset_id: 'a' })
    expect(run.steps.animate).toMatchObject({ status: 'skipped', skipped: { because: 'paint' } })
  })

  it('reaches the same state however the stream is split and replayed', () => {
    const whole = applyEvents(emptyRun(), story())
    fc.assert(
      fc.property(fc.nat(12), fc.nat(12), (cut, overlap) => {
        const first = applyEvents(emptyRun(), story().slice(0, cut))
        const again = applyEvents(first, story().slice(Math.max(0, cut - overlap)))
        expect(again).toEqual(whole)
      }),
    )
  })

  it('returns the same object for a known event, and changes only affected steps', () => {
    const run = applyEvents(emptyRun(), story().slice(0, 8))
    expect(applyEvents(run, story().slice(0, 5))).toBe(run)
    expect(applyEvents(run, story().slice(7, 8))).toBe(run)
    const next = applyEvents(run, [story()[8] as RunEvent])
    expect(next.steps.write).toBe(run.steps.write)
    expect(next.order).toBe(run.order)
  })

  it('leaves no step running when the run is over', () => {
    const run = applyEvents(emptyRun(), [...story().slice(0, 4), { ...event('run.cancelled'), seq: 50 }])
    expect(run.steps.write?.status).toBe('cancelled')
  })

  it('applies an event once that arrives twice at the same time', () => {
    const [start, , , delta] = story() as [RunEvent, RunEvent, RunEvent, RunEvent]
    expect(applyEvents(emptyRun(), [start, delta, delta]).steps.write?.text).toBe('Late ')
  })

  it('takes only the number of an event of an unknown kind', () => {
    const run = applyEvents(emptyRun(), story().slice(0, 8))
    expect(applyEvents(run, [{ ...event('run.noted'), seq: 9 }])).toEqual({ ...run, lastSeq: 9 })
  })

  it('takes the order of the plan, also where it has as many steps as were assumed', () => {
    const plan = (seq: number, ids: string[]) => ({
      ...event('run.started', null, { steps: ids.map((id) => ({ id })) }),
      seq,
    })
    const run = applyEvents(emptyRun(), [plan(1, ['write', 'paint'])])
    expect(applyEvents(run, [plan(2, ['paint', 'write'])]).order).toEqual(['paint', 'write'])
  })

  it('replaces the assumed steps of a queued run when the plan arrives', () => {
    const guessed = (id: string) => ({
      ...{ id, node_type: '', title: id, status: 'pending', cached: false, progress: null, message: null },
      ...{ text: null, outputs: {}, error: null, seconds: null, started_at: null, finished_at: null },
      ...{ cost_usd: null, skipped: null },
    })
    const queued = fromRun({
      ...{
        status: 'queued',
        started_at: null,
        finished_at: null,
        seconds: null,
        cost_usd: null,
        last_seq: 0,
      },
      steps: [guessed('animate'), guessed('write')],
    })
    const run = applyEvents(queued, story().slice(0, 3))
    expect(run.order).toEqual(['write'])
    expect(run.steps).toEqual({ write: expect.objectContaining({ title: 'Write', status: 'running' }) })
  })

  it('continues from a snapshot', () => {
    const run = fromRun({
      status: 'running',
      started_at: '1970-01-01T00:01:41Z',
      finished_at: null,
      seconds: null,
      cost_usd: '0.02',
      last_seq: 7,
      steps: [],
    })
    expect(applyEvents(run, story())).toMatchObject({ startedAt: 101, status: 'failed', costUsd: 0.02 })
  })
})

it('has the error of a snapshot, and costs nothing where the snapshot has no cost', () => {
  const error = { code: 'step_failed', message: 'No.' }
  const times = { started_at: null, finished_at: null, seconds: null, cost_usd: null }
  const write = { id: 'write', node_type: 'language_model', title: 'Write', status: 'failed', cached: false }
  const rest = { progress: null, message: null, text: null, outputs: {}, error, skipped: null }
  const snapshot = {
    status: 'failed',
    last_seq: 3,
    error,
    ...times,
    steps: [{ ...write, ...rest, ...times }],
  }
  const run = fromRun(snapshot)
  expect(run).toMatchObject({ error, costUsd: 0, steps: { write: { error, costUsd: 0 } } })
  expect(fromRun({ ...snapshot, error: undefined }).error).toBeNull()
  expect(fromRun({ ...snapshot, cost_usd: '0.02' }).costUsd).toBe(0.02)
})

describe('the cost of a run', () => {
  it('is what all attempts cost, a later one of a step too', () => {
    seq = 0
    const run = applyEvents(emptyRun(), [
      event('run.started', null, { steps: [{ id: 'write' }, { id: 'paint' }] }),
      event('step.failed', 'write', { cost_usd: 0.5 }),
      event('step.started', 'write'),
      event('step.finished', 'write', { cost_usd: 0.25 }),
      event('step.finished', 'paint', { cost_usd: 1 }),
    ])
    expect(run.costUsd).toBe(1.75)
    expect(applyEvents(run, [event('run.finished')])).toMatchObject({
      costUsd: 1.75,
      seconds: null,
      error: null,
    })
    expect(applyEvents(run, [event('run.finished', null, { cost_usd: '2', seconds: 3 })])).toMatchObject({
      costUsd: 2,
      seconds: 3,
    })
  })
})

describe('a resumed run', () => {
  it('runs again with its first step, although the number of its start is known', () => {
    const ended = { ...emptyRun(), status: 'queued' as const, lastSeq: 7 }
    const run = applyEvents(ended, [{ ...event('step.queued', 'paint'), seq: 8 }])
    expect([run.status, run.lastSeq, run.startedAt]).toEqual(['running', 8, 100 + seq])
    const started = applyEvents({ ...ended, startedAt: 50 }, [{ ...event('step.queued', 'paint'), seq: 8 }])
    expect(started.startedAt).toBe(50)
  })
})

describe('timeline', () => {
  it('places bars in seconds since the start and estimates the rest from progress', () => {
    const run = applyEvents(emptyRun(), story().slice(0, 6))
    const { bars, seconds } = timeline(run, 105)
    expect(bars).toEqual([expect.objectContaining({ id: 'write', start: 2, length: 2, expected: 2 })])
    expect(seconds).toBe(6)
  })

  const runAfter = (steps: string[], ...more: Parameters<typeof event>[]) => {
    seq = 0
    const begin = event('run.started', null, { steps: steps.map((id) => ({ id })) })
    return applyEvents(emptyRun(), [begin, ...more.map((one) => event(...one))])
  }
  const ahead = {
    seconds: (step: string) => ({ write: 4, paint: 10 })[step] ?? null,
    sources: (node: string) => ({ paint: ['write'], animate: ['paint'] })[node] ?? [],
  }

  it('places pending steps after their dependencies, with their estimated duration', () => {
    const run = runAfter(['write', 'paint', 'animate'], ['step.started', 'write'])
    const { bars, seconds } = timeline(run, 103, ahead)
    expect(bars.map(({ id, start, length, expected }) => [id, start, length, expected])).toEqual([
      ['write', 1, 1, 3],
      ['paint', 5, 0, 10],
      ['animate', 15, 0, 1],
    ])
    expect(seconds).toBe(16)
  })

  it('is never empty, so that places are shares of it, and adds no visible time', () => {
    const { seconds } = timeline(runAfter([]), 101)
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(0.01)
  })

  it('starts at the start of the run, for a step that has the clock of another machine too', () => {
    const started = { ...runAfter(['write'], ['step.started', 'write']), startedAt: 105 }
    expect(timeline(started, 108).bars).toMatchObject([{ start: 0, length: 3 }])
    expect(timeline({ ...started, startedAt: 102 }, 108).bars).toMatchObject([{ start: 0, length: 6 }])
  })

  it('expects of a running step what its progress says, else what is left of its estimate', () => {
    const started = runAfter(['write'], ['step.started', 'write'])
    const begin = started.startedAt ?? 0
    const from = started.steps.write?.startedAt ?? 0
    const expected = (progress: number | null, estimate: number | null) => {
      const step = { ...started.steps.write, progress } as StepState
      const forecast = { seconds: () => estimate, sources: () => [] }
      return timeline({ ...started, steps: { write: step } }, from + 4, forecast).bars[0]?.expected
    }
    expect([expected(0.5, 100), expected(0.05, 10), expected(null, 10)]).toEqual([4, 6, 6])
    expect([expected(null, 3), expected(null, null), expected(1, 100)]).toEqual([0, 0, 0])
    expect(begin).toBeLessThanOrEqual(from)
  })

  it('has no pending parts once the run is over', () => {
    const run = runAfter(['write', 'paint'], ['run.cancelled', null, { seconds: 1 }])
    expect(timeline(run, 500, ahead).bars.every((lane) => lane.expected === 0)).toBe(true)
  })
})

describe('values', () => {
  it('finds nested media, and text where there is no media', () => {
    const image = { $type: 'Image', asset_id: 'a' }
    expect(mediaIn({ list: [[image], 'x'] })).toEqual([image])
    expect(asText([image])).toBeNull()
    expect(asText(['a', 'b'])).toBe('a\n\nb')
    expect(asText({ a: 1 })).toBe('{\n  "a": 1\n}')
  })
})

describe('a node that runs another agent', () => {
  it('has the combined progress of its inner steps', () => {
    seq = 0
    const events = [
      event('run.started', null, { steps: [{ id: 'teaser/write' }, { id: 'teaser/speak' }] }),
      event('step.started', 'teaser/write'),
      event('step.finished', 'teaser/write', { outputs: { output: 'Hello' }, seconds: 1, cost_usd: 0.1 }),
    ]
    const half = applyEvents(emptyRun(), events)
    expect(stepOfNode(half, 'teaser')).toMatchObject({ status: 'running', progress: 0.5, costUsd: 0.1 })
    expect(stepOfNode(half, 'teaser')).toBe(stepOfNode(half, 'teaser'))
    const whole = applyEvents(half, [
      event('step.finished', 'teaser/speak', { outputs: { output: 'a', more: 'b' }, cost_usd: 0.2 }),
    ])
    expect(stepOfNode(whole, 'teaser')).toMatchObject({
      status: 'finished',
      outputs: { write: 'Hello', 'speak.output': 'a', 'speak.more': 'b' },
    })
    expect(stepOfNode(whole, 'missing')).toBeUndefined()
  })
})
