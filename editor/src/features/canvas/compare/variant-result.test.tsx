// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import { type RunBackend, Runner } from '@/document/runner'
import type { Session } from '@/document/session'
import { SessionContext } from '@/document/use-session'
import '@/lib/i18n'
import '@/lib/i18n/editor'
import { emptyRun } from '@/lib/run/reduce'
import { emptyStep } from '@/lib/run/step'
import type { StepState } from '@/lib/run/types'
import { startBackend } from '@/test/backend'
import { SAMPLE, sampleFlow } from '@/test/flow-samples'
import { renderPage } from '@/test/render-page'
import { VariantResult } from './variant-result'

const backend = startBackend()
beforeEach(() => {
  backend.use(http.get('*/api/v1/nodes/', () => HttpResponse.json({ types: [], providers: [] })))
})

function mount(step: Partial<StepState>, { cancelled = [] as string[], over = true } = {}) {
  const comparer = new Runner({} as RunBackend)
  const failed = { ...emptyStep('write'), status: 'failed' as const, error: missingKey, title: 'Write' }
  const steps = { write: failed, paint: { ...emptyStep('paint'), ...step } }
  comparer.live.reset({
    ...emptyRun(),
    status: over ? 'failed' : 'running',
    order: Object.keys(steps),
    steps,
  })
  const comparison = { node: 'paint', title: 'Paint', steps: ['paint'], cancelled }
  comparer.store.setState({ run: { id: 'r1', comparison } as never })
  const checker = { recheck: async () => undefined }
  const session = { comparer, checker, catalog: SAMPLE, document: sampleFlow(), canEdit: true }
  renderPage(() => (
    <SessionContext value={session as unknown as Session}>
      <ul>
        <VariantResult step="paint" letter="B" isOwn={false} facts={[]} onKeep={() => undefined} />
      </ul>
    </SessionContext>
  ))
}

const missingKey = { code: 'missing_credential', message: 'OpenAI needs a key.', provider: 'openai' }
const because = { because: 'write', reason: 'failed' }
const cases: [string, Partial<StepState>, string][] = [
  ['waiting', { status: 'pending' }, 'Keep variant B'],
  ['running', { status: 'running' }, 'Keep variant B'],
  ['finished', { status: 'finished', outputs: { output: 'Plums' } }, 'Keep variant B'],
  ['failed', { status: 'failed', error: { code: 'moderated', message: 'No.' } }, 'Keep variant B'],
  ['without a key', { status: 'failed', error: missingKey }, 'Connect the provider of Variant B'],
  [
    'with a wrong key',
    { status: 'failed', error: { ...missingKey, code: 'wrong_credential' } },
    'Connect the provider of Variant B',
  ],
  [
    'behind a node without a key',
    { status: 'skipped', skipped: because },
    'Connect the provider of Variant B',
  ],
]

test.each(cases)('a variant that is %s has one primary button', async (_, step, name) => {
  mount(step, { over: step.status !== 'pending' && step.status !== 'running' })
  const variant = await screen.findByRole('region', { name: 'Variant B' })
  const primary = within(variant)
    .getAllByRole('button')
    .filter((button) => button.classList.contains('bg-ink'))
  expect(primary.map((button) => button.getAttribute('aria-label'))).toEqual([name])
})

test('a variant that was stopped before it started says so at once', async () => {
  mount({ status: 'pending' }, { cancelled: ['paint'], over: false })
  expect(await screen.findByText('You stopped this variant.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Stop variant B' })).toBeNull()
})
