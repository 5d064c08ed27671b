// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import '@/lib/i18n/account'
import type { PasskeyInfo } from '@/lib/api/security'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { submitTwice } from '@/test/submit-twice'
import { NewApiKey } from './api-keys'
import { RenamePasskey } from './security/dialogs'

const backend = startBackend()
afterEach(() => queryClient.clear())

test('two submits at once create one API key; a repeat after a lost response has the same key', async () => {
  const [first, again] = await submitTwice(backend, <NewApiKey onClose={() => {}} />, /Name/)
  expect(again).toBe(first)
})

test('two submits at once rename a passkey once', async () => {
  const passkey = { id: 'k1', name: 'Phone' } as PasskeyInfo
  await submitTwice(backend, <RenamePasskey passkey={passkey} onClose={() => {}} />, /Name/)
})
