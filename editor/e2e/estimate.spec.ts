import type { APIRequestContext } from '@playwright/test'
import { expect, type Server, keptTest as test } from './fixtures'

const flow = {
  format: 1,
  name: 'Clips',
  nodes: [
    { id: 'prompt', type: 'user_prompt', version: 1, settings: { text: '' } },
    { id: 'length', type: 'number', version: 1, title: 'Length', settings: { value: 4 } },
    { id: 'speak', type: 'text_to_speech', version: 1, settings: { provider: 'elevenlabs' } },
    { id: 'video', type: 'video_generation', version: 1, settings: { provider: 'local' } },
  ],
  edges: [
    { from: 'prompt.output', to: 'speak.text' },
    { from: 'prompt.output', to: 'video.prompt' },
    { from: 'length.output', to: 'video.duration' },
  ],
}

async function publishFlow(server: Server, request: APIRequestContext, token: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` }
  const key = await request.put(`${server.url}/api/v1/credentials/elevenlabs`, {
    data: { key: 'unused-key-1234' },
    headers,
  })
  expect(key.ok(), await key.text()).toBe(true)
  const created = await request.post(`${server.url}/api/v1/flows/`, {
    data: { name: 'Clips', description: '', flow },
    headers,
  })
  expect(created.status(), await created.text()).toBe(201)
  const { id } = await created.json()
  const published = await request.post(`${server.url}/api/v1/flows/${id}/publish`, { data: {}, headers })
  expect(published.status(), await published.text()).toBe(200)
  return id
}

test('the estimate follows the prompt and the inputs', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
}) => {
  const id = await publishFlow(server, page.request, token)
  await page.goto(`/?agent=${id}`)
  const bar = page.getByRole('form', { name: 'Launch' })
  const estimate = bar.getByText(/^Estimate: Clips/)
  await expect(estimate).toHaveText(/about 6 s/)
  const dollars = async () => Number(/\$([\d.]+)/.exec((await estimate.textContent()) ?? '')?.[1])
  await page.getByLabel('Your prompt').fill('word '.repeat(1000))
  await expect.poll(dollars).toBeGreaterThan(0.4)
  const longPrompt = await dollars()
  await page.getByLabel('Your prompt').fill('word '.repeat(400))
  await expect.poll(async () => (await dollars()) / longPrompt).toBeCloseTo(0.4, 1)

  await page.getByRole('button', { name: 'Customize' }).click()
  const panel = page.getByRole('region', { name: 'Customize' })
  await panel.getByLabel('Length').fill('28')
  await expect(estimate).toHaveText(/about 30 s/)
  await expect(panel.getByText('about 30 s, in all')).toBeVisible()
  await panel.getByRole('button', { name: 'Reset to defaults' }).click()
  await expect(estimate).toHaveText(/about 6 s/)
  expect(
    (
      await (
        await page.request.get(`${server.url}/api/v1/runs/`, {
          headers: { Authorization: `Bearer ${token}` },
        })
      ).json()
    ).items,
  ).toEqual([])
})
