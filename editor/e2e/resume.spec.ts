import { expect, keepSession, register, Server, somebody, test } from './fixtures'
import { Fakes } from './fixtures/fake-providers'

const flow = {
  format: 1,
  name: 'Voice and picture',
  nodes: [
    { id: 'prompt', type: 'user_prompt', version: 1, settings: { text: '' } },
    { id: 'paint', type: 'image_generation', version: 1, title: 'Picture', settings: { provider: 'local' } },
    {
      id: 'speak',
      type: 'text_to_speech',
      version: 1,
      title: 'Voice',
      settings: { provider: 'elevenlabs' },
    },
  ],
  edges: [
    { from: 'prompt.output', to: 'paint.prompt' },
    { from: 'prompt.output', to: 'speak.text' },
  ],
}

type Told = { status: string; steps: { id: string; outputs: Record<string, unknown>; finished_at: string }[] }

test('tries again what failed, and nothing else', async ({ context, page }) => {
  test.setTimeout(480_000)
  const fakes = await Fakes.start()
  const server = await Server.start({ IMPASTO_ELEVENLABS_BASE_URL: `${fakes.url}/elevenlabs` })
  try {
    const token = await register(server, context.request, somebody())
    await keepSession(server, context, token)
    const headers = { Authorization: `Bearer ${token}` }
    const api = (path: string) => `${server.url}/api/v1${path}`
    const giveKey = async (key: string) => {
      const answer = await page.request.put(api('/credentials/elevenlabs'), { data: { key }, headers })
      expect(answer.ok(), await answer.text()).toBe(true)
    }
    await giveKey(Fakes.POOR_KEY)
    const made = await page.request.post(api('/flows/'), { data: { name: flow.name, flow }, headers })
    const { id } = await made.json()
    await page.request.post(api(`/flows/${id}/publish`), { data: {}, headers })

    await page.goto(`${server.url}/?agent=${id}`)
    await page.getByLabel('Your prompt').fill('Poured slowly, on purpose.')
    await page.getByRole('button', { name: 'Launch', exact: true }).click()
    await page.waitForURL(/\/run\//)
    const again = page.getByRole('button', { name: 'Try again' })
    await expect(again).toBeVisible({ timeout: 180_000 })
    await expect(page.getByText(/^Failed/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'View Picture' })).toBeVisible()
    const run = async (): Promise<Told> =>
      (await page.request.get(page.url().replace('/run/', '/api/v1/runs/'), { headers })).json()
    const before = (await run()).steps.find((step) => step.id === 'paint')

    await giveKey(Fakes.GOOD_KEY)
    await again.click()
    await expect(page.getByText(/^Finished/)).toBeVisible({ timeout: 180_000 })
    await expect(again).toBeHidden()
    await expect(page.getByRole('button', { name: 'Play Voice' })).toBeVisible()
    const after = (await run()).steps.find((step) => step.id === 'paint')
    expect(after).toEqual(before)
    const me = await (await page.request.get(api('/users/me'), { headers })).json()
    expect(me.quota.used).toBe(1)
    await page.reload()
    await expect(page.getByText(/^Finished/)).toBeVisible()
  } finally {
    await server.stop()
    fakes.stop()
  }
})
