// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest'
import type { RunEvent } from '@/lib/run/types'
import type { StreamState } from '@/lib/run-events'
import { type OpenRun, type RunBackend, Runner } from './runner'

const run = (more: Partial<OpenRun> = {}): OpenRun => ({
  ...{ id: 'r1', number: 1, version: 'draft', inputs: {}, status: 'running', last_seq: 1, steps: [] },
  ...{ started_at: '2026-11-21T12:00:00Z', finished_at: null, seconds: null, cost_usd: '0' },
  ...more,
})

/** A fake server that records the listeners of the runner. */
function server(first = run()) {
  let answer = first
  const heard: {
    after: number
    event: (event: RunEvent) => boolean
    stream: (state: StreamState) => void
  }[] = []
  const stop = vi.fn()
  const backend: RunBackend = {
    start: vi.fn(async () => answer),
    remember: vi.fn((_, key = 'k1') => key),
    findPending: () => null,
    forget: vi.fn(),
    read: async () => answer,
    cancel: vi.fn(async () => undefined),
    resume: vi.fn(async () => undefined),
    follow: (_, after, event, stream) => {
      heard.push({ after, event, stream })
      return stop
    },
  }
  return { backend, heard, stop, says: (next: OpenRun) => (answer = next) }
}

const event = (seq: number, type: string, step: string | null = null): RunEvent => ({
  ...{ seq, type, step, time: seq },
  data: {},
})

describe('Runner', () => {
  it('follows a run from the last event of its first response', async () => {
    const { backend, heard } = server(run({ last_seq: 7 }))
    const runner = new Runner(backend)
    await runner.open('r1')
    expect(heard.map(({ after }) => after)).toEqual([7])
    expect(runner.running).toBe(true)
  })

  it('does not follow a finished run', async () => {
    const { backend, heard } = server(run({ status: 'finished' }))
    const runner = new Runner(backend)
    await runner.open('r1')
    expect(heard).toHaveLength(0)
    expect(runner.running).toBe(false)
  })

  it('reads the run from the server again once it has finished', async () => {
    const { backend, heard, says } = server()
    const runner = new Runner(backend)
    await runner.open('r1')
    says(run({ status: 'finished', last_seq: 3, cost_usd: '0.25', seconds: 4 }))
    expect(heard[0]?.event(event(2, 'step.started', 'paint'))).toBe(false)
    expect(heard[0]?.event(event(3, 'run.finished'))).toBe(true)
    await expect.poll(() => runner.live.getState()).toMatchObject({ status: 'finished', costUsd: 0.25 })
  })

  it('reports a lost connection until it is restored', async () => {
    const { backend, heard } = server()
    const runner = new Runner(backend)
    const lost = () => runner.store.getState().isDisconnected
    await runner.open('r1')
    heard[0]?.stream('waiting')
    expect(lost()).toBe(true)
    heard[0]?.stream('connecting')
    expect(lost()).toBe(true)
    heard[0]?.stream('live')
    expect(lost()).toBe(false)
  })

  it('starts one run at a time, and can switch to another run', async () => {
    const { backend, heard, stop, says } = server()
    const runner = new Runner(backend)
    await runner.start({ inputs: {} })
    await runner.start({ inputs: {} })
    expect(heard).toHaveLength(1)
    says(run({ id: 'r2', number: 2 }))
    await runner.open('r2')
    expect(stop).toHaveBeenCalled()
    expect(runner.store.getState().run?.number).toBe(2)
  })
})

describe('a launch', () => {
  const order = { inputs: {} }

  it('is remembered before the document is saved, and forgotten when the run has started', async () => {
    const { backend } = server()
    const runner = new Runner(backend)
    const save = vi.fn(async () => {
      expect(backend.remember).toHaveBeenCalledWith(order, undefined)
      expect(backend.start).not.toHaveBeenCalled()
    })
    await runner.start(order, save)
    expect(save).toHaveBeenCalledOnce()
    expect(backend.start).toHaveBeenCalledWith(order, 'k1')
    expect(backend.forget).toHaveBeenCalledWith('k1')
  })

  it('hands the error over when it fails, so that one without a response is kept for the reloaded page', async () => {
    const { backend } = server()
    const error = new Error('unreachable')
    vi.mocked(backend.start).mockRejectedValue(error)
    await expect(new Runner(backend).start(order)).rejects.toBe(error)
    expect(backend.forget).toHaveBeenCalledWith('k1', error)
  })

  it('continues with the key of the interrupted launch', async () => {
    const { backend } = server()
    await new Runner(backend).start(order, undefined, 'before')
    expect(backend.start).toHaveBeenCalledWith(order, 'before')
  })

  it('is cancelled once it has started, if Stop was pressed before', async () => {
    const { backend } = server()
    const runner = new Runner(backend)
    const starting = runner.start(order)
    await runner.cancel()
    expect(backend.cancel).not.toHaveBeenCalled()
    await starting
    expect(backend.cancel).toHaveBeenCalledWith('r1')
  })
})
