import { describe, expect, it } from 'vitest'
import { applyToStep, emptyStep, nodeOf } from './step'
import type { StepState } from './types'

const applied = (step: StepState, type: string, data: Record<string, unknown> = {}, time = 9) =>
  applyToStep(step, { seq: 1, type: `step.${type}`, time, step: step.id, data })
const running = applied({ ...emptyStep('paint'), nodeType: 'image', title: 'Paint' }, 'started', {}, 5)

describe('a step', () => {
  it('belongs to the node before the first slash', () => {
    expect(['paint', 'teaser/paint', 'teaser/inner/paint', ''].map(nodeOf)).toEqual([
      'paint',
      'teaser',
      'teaser',
      '',
    ])
  })

  it('starts without the results of an earlier attempt, and keeps its name', () => {
    const failed = {
      ...applied(running, 'failed', { cost_usd: '0.3' }),
      text: 'old',
      partials: { output: ['a'] },
    }
    expect(applied(failed, 'started', {}, 7)).toEqual({
      ...emptyStep('paint'),
      nodeType: 'image',
      title: 'Paint',
      status: 'running',
      startedAt: 7,
    })
  })

  it('stays the same for a partial result without a value', () => {
    expect(applied(running, 'partial', { port: 'output' })).toBe(running)
  })

  it('has its progress, and forgets it for another attempt', () => {
    const half = applied(running, 'progress', { fraction: 0.5, message: 'Half' })
    expect(half).toMatchObject({ progress: 0.5, message: 'Half', retrying: null })
    const again = applied({ ...half, text: 'x', partials: { output: ['x'] } }, 'retrying', {
      attempt: 2,
      seconds: 4,
    })
    expect(again).toMatchObject({ progress: null, message: '', text: '', partials: {} })
    expect(again.retrying).toEqual({ attempt: 2, seconds: 4 })
    expect(applied(running, 'retrying').retrying).toEqual({ attempt: 1, seconds: 0 })
    expect(applied(again, 'progress')).toMatchObject({ progress: null, message: '', retrying: null })
  })

  it('ends with what it cost and made', () => {
    const madeBy = { provider: 'local' }
    const data = { outputs: { output: 'a' }, cost_usd: '0.25', seconds: 3, cached: true, made_by: madeBy }
    expect(applied({ ...running, retrying: { attempt: 1, seconds: 1 } }, 'finished', data)).toMatchObject({
      status: 'finished',
      progress: 1,
      cached: true,
      costUsd: 0.25,
      seconds: 3,
      finishedAt: 9,
      retrying: null,
      madeBy,
    })
    const bare = applied(running, 'finished')
    expect(bare).toMatchObject({ cached: false, outputs: {}, costUsd: 0, seconds: null, madeBy: null })
  })

  it('that is skipped says why, and has an end only if it had a start', () => {
    const why = { because: 'write', reason: 'failed' }
    expect(applied(emptyStep('paint'), 'skipped', why)).toMatchObject({
      status: 'skipped',
      skipped: why,
      finishedAt: null,
    })
    expect(applied(running, 'skipped', { reason: 'cancelled' })).toMatchObject({
      status: 'cancelled',
      skipped: { because: null, reason: 'cancelled' },
      finishedAt: 9,
    })
    expect(applied(running, 'skipped').skipped).toEqual({ because: null, reason: '' })
  })

  it('is not changed by events of unknown kinds', () => {
    expect(applied(running, 'dreamed')).toBe(running)
  })
})

describe('parts of a result', () => {
  it('are a text that grows, or values by port and position', () => {
    const streamed = applied(applied(running, 'partial', { delta: 'Late ' }), 'partial', { delta: 'August' })
    expect([streamed.text, streamed.partials]).toEqual(['Late August', {}])
    const shown = applied(applied(streamed, 'partial', { value: 'a', item: [2] }), 'partial', {
      value: 'b',
      item: [0],
    })
    expect([shown.text, shown.partials]).toEqual(['Late August', { output: ['b', undefined, 'a'] }])
    const other = applied(shown, 'partial', { port: 'mask', value: 7 })
    expect(other.partials).toEqual({ ...shown.partials, mask: [7] })
  })

  it('replace the text where one is sent as a value of the whole result', () => {
    const streamed = applied(running, 'partial', { delta: 'Draft' })
    expect(applied(streamed, 'partial', { value: 'Final' })).toMatchObject({
      text: 'Final',
      partials: { output: ['Final'] },
    })
    expect(applied(streamed, 'partial', { value: 'Final', item: null }).text).toBe('Final')
  })

  it('of an item make no text', () => {
    expect(applied(running, 'partial', { delta: 'x', item: [0] })).toBe(running)
    expect(applied(running, 'partial')).toBe(running)
  })
})
