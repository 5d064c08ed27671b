import { expect, keptTest as test } from './fixtures'
import { FakeProviders } from './fixtures/fake-providers'

const flow = {
  format: 1,
  name: 'Voice and image',
  nodes: [
    { id: 'prompt', type: 'user_prompt', version: 1, settings: { text: '' } },
    {
      id: 'paint',
      type: 'image_generation',
      version: 1,
      title: 'Product image',
      settings: { provider: 'local' },
    },
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

type Run = { status: string; steps: { id: string; outputs: Record<string, unknown>; finished_at: string }[] }

test('Try again repeats the failed step only', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  providers: _,
}) => {
  test.setTimeout(480_000)
  const headers = { Authorization: `Bearer ${token}` }
  const api = (path: string) => `${server.url}/api/v1${path}`
  const saveKey = async (key: string) => {
    const response = await page.request.put(api('/credentials/elevenlabs'), { data: { key }, headers })
    expect(response.ok(), await response.text()).toBe(true)
  }
  await saveKey(FakeProviders.NO_CREDIT_KEY)
  const created = await page.request.post(api('/flows/'), { data: { name: flow.name, flow }, headers })
  const { id } = await created.json()
  await page.request.post(api(`/flows/${id}/publish`), { data: {}, headers })

  await page.goto(`${server.url}/?agent=${id}`)
  await page.getByLabel('Your prompt').fill('Poured slowly, on purpose.')
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.waitForURL(/\/run\//)
  const tryAgain = page.getByRole('button', { name: 'Try again' })
  await expect(tryAgain).toBeVisible({ timeout: 180_000 })
  await expect(page.getByText(/^Failed/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'View Product image' })).toBeVisible()
  const fetchRun = async (): Promise<Run> =>
    (await page.request.get(page.url().replace('/run/', '/api/v1/runs/'), { headers })).json()
  const before = (await fetchRun()).steps.find((step) => step.id === 'paint')

  await saveKey(FakeProviders.GOOD_KEY)
  await tryAgain.click()
  await expect(page.getByText(/^Finished/)).toBeVisible({ timeout: 180_000 })
  await expect(tryAgain).toBeHidden()
  await expect(page.getByRole('button', { name: 'Play Voice' })).toBeVisible()
  const after = (await fetchRun()).steps.find((step) => step.id === 'paint')
  expect(after).toEqual(before)
  const me = await (await page.request.get(api('/users/me'), { headers })).json()
  expect(me.quota.used).toBe(1)
  await page.reload()
  await expect(page.getByText(/^Finished/)).toBeVisible()
})
