// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { importAgentFile } from './agent-files'

const sent: (string | null)[] = []
const answers: (() => Response)[] = []

beforeEach(() => {
  vi.stubGlobal('fetch', (request: Request | string, init?: RequestInit) => {
    const headers = request instanceof Request ? request.headers : new Headers(init?.headers)
    sent.push(headers.get('Idempotency-Key'))
    const answer = answers.shift()
    return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('Failed to fetch'))
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  sent.length = 0
})

const created = () => Response.json({ flow: {}, files: 0, missing: [] }, { status: 201 })
const refused = () => Response.json({ title: 'Refused', detail: 'No.' }, { status: 422 })

it('sends a file again with the same key until the server has answered', async () => {
  const file = new File(['{}'], 'agent.json')
  await expect(importAgentFile(file)).rejects.toThrow()
  answers.push(created, refused)
  await importAgentFile(file)
  await expect(importAgentFile(file)).rejects.toThrow()
  answers.push(created)
  await importAgentFile(file)
  expect(sent[0]).toBeTruthy()
  expect(sent[1]).toBe(sent[0])
  expect(new Set(sent).size).toBe(3)
})
