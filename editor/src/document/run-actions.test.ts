// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { setPin } from '@/graph/edits/nodes'
import { sampleFlow } from '@/test/flow-samples'
import { startRun } from './run-actions'
import type { Session } from './session'
import { createViewStore } from './view-store'

const pin = { outputs: { output: { type: 'Text', depth: 0, value: 'x' } } }

/** A session whose last run had an input for `ask`, and whose server asks for these inputs. */
function sessionWith(document: ReturnType<typeof sampleFlow>, properties: Record<string, unknown>) {
  const start = vi.fn(async () => undefined)
  const session = {
    document,
    view: createViewStore(),
    checker: { store: { getState: () => ({ inputs: { properties } }) } },
    runner: { start, store: { getState: () => ({ run: { inputs: { ask: 'Cold brew', gone: 1 } } }) } },
  }
  return { session: session as unknown as Session, start }
}

it('runs with the inputs of the last run that the agent still has', async () => {
  const { session, start } = sessionWith(sampleFlow(), {})
  await startRun(session)
  expect(start).toHaveBeenCalledWith(
    expect.objectContaining({ inputs: { ask: 'Cold brew' } }),
    expect.anything(),
    undefined,
  )
})

it('leaves out an input that only a pinned node would take', async () => {
  const { session, start } = sessionWith(setPin(sampleFlow(), 'write', pin), {})
  await startRun(session)
  expect(start).toHaveBeenCalledWith(expect.objectContaining({ inputs: {} }), expect.anything(), undefined)
})
