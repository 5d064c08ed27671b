import { expect, it } from 'vitest'
import { emptyRun } from '@/lib/run/reduce'
import { emptyStep } from '@/lib/run/step'
import type { RunState } from '@/lib/run/types'
import { isDrawnHere } from './drafts-note'

const runOf = (...made: [nodeType: string, provider: string | null][]): RunState => ({
  ...emptyRun(),
  steps: Object.fromEntries(
    made.map(([nodeType, provider], at) => [
      `s${at}`,
      { ...emptyStep(`s${at}`), nodeType, madeBy: provider === null ? null : { provider } },
    ]),
  ),
})

it('is shown for images and videos that this computer drew', () => {
  expect(isDrawnHere(runOf(['image_generation', 'local'], ['language_model', 'openai']))).toBe(true)
  expect(isDrawnHere(runOf(['video_generation', 'local']))).toBe(true)
})

it('is not shown once a model drew, or while nothing is drawn', () => {
  expect(isDrawnHere(runOf(['image_generation', 'local'], ['image_generation', 'openai']))).toBe(false)
  expect(isDrawnHere(runOf(['image_generation', null]))).toBe(false)
  expect(isDrawnHere(runOf(['language_model', 'local'], ['overlay_text', null]))).toBe(false)
})
