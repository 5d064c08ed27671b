// @vitest-environment jsdom
import { test } from 'vitest'
import '@/lib/i18n/admin'
import { suspendUser } from '@/lib/api/admin'
import { startBackend } from '@/test/backend'
import { submitTwice } from '@/test/submit-twice'
import { ReasonForm } from './reason-form'

const backend = startBackend()

test('two submits at once suspend a user once', async () => {
  const suspend = (reason: string) => suspendUser('u1', reason)
  await submitTwice(backend, <ReasonForm help="" action="Suspend" onSubmit={suspend} />, /Reason/)
})
