// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ComparableField } from '@/graph/comparable'
import type { FlowNode } from '@/graph/document'
import '@/lib/i18n'
import '@/lib/i18n/editor'
import { queryClient } from '@/lib/query-client'
import { useToasts } from '@/lib/toasts'
import { startBackend } from '@/test/backend'
import { renderPage } from '@/test/render-page'
import { ComparedSettings } from './compared-settings'

const backend = startBackend()
beforeEach(() => queryClient.clear())

const model = {
  name: 'model',
  setting: 'model',
  title: 'Model',
  typeId: 'language_model',
  schema: { type: 'string', default: '', 'x-ui': { options: true } },
  advanced: false,
  inner: null,
} as unknown as ComparableField

async function perModel(offered: readonly string[], chosen = '') {
  backend.use(
    http.get('*/api/v1/nodes/language_model/options/model', () =>
      HttpResponse.json({ items: offered.map((value) => ({ value, label: value })), sources: [] }),
    ),
  )
  const onChange = vi.fn()
  const node = { id: 'write', type: 'language_model', version: 1, settings: { model: chosen } }
  const draft = { settings: ['model'], variants: [{}] }
  renderPage(() => (
    <ComparedSettings node={node as unknown as FlowNode} fields={[model]} draft={draft} onChange={onChange} />
  ))
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'One per model' }))
  return onChange
}

test('each other model that can be used becomes a variant', async () => {
  const onChange = await perModel(['a', 'b', 'c'], 'b')
  await vi.waitFor(() =>
    expect(onChange).toHaveBeenCalledWith({
      settings: ['model'],
      variants: [{ model: 'a' }, { model: 'c' }],
    }),
  )
})

test('the only model is not compared with the automatic choice, which is that model', async () => {
  const onChange = await perModel(['a'])
  const refusal = 'There are no further choices that can be used now.'
  await vi.waitFor(() => expect(useToasts.getState().toasts[0]?.title).toBe(refusal))
  expect(onChange).not.toHaveBeenCalled()
})
