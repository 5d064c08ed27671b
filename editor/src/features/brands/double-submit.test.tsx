// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import '@/lib/i18n/brands'
import type { BrandDetail } from '@/lib/api/brand-edits'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { submitTwice } from '@/test/submit-twice'
import { NewBrandDialog } from './new-brand-dialog'
import { PublishDialog } from './publish-dialog'

const backend = startBackend()
afterEach(() => queryClient.clear())

test('two submits at once create one brand; a repeat after a lost response has the same key', async () => {
  const [first, again] = await submitTwice(backend, <NewBrandDialog onClose={() => {}} />, /Name/)
  expect(again).toBe(first)
})

test('two submits at once publish a brand once; a repeat after a lost response has the same key', async () => {
  const brand = { id: 'b1', version: null, draft_changes: [] } as unknown as BrandDetail
  const [first, again] = await submitTwice(
    backend,
    <PublishDialog brand={brand} onClose={() => {}} />,
    /What changed|Note/,
  )
  expect(again).toBe(first)
})
