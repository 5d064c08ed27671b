import type { APIRequestContext } from '@playwright/test'
import {
  expect,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  type Server,
  keptTest as test,
} from './fixtures'
import { storeCopies } from './fixtures/asset-copies'

type Api = { request: APIRequestContext; server: Server; token: string }

/** Calls the API as the user; fails for an error. */
async function call(
  { request, server, token }: Api,
  method: string,
  path: string,
  data?: unknown,
  headers = {},
) {
  const response = await request.fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...headers },
    ...(data !== undefined && { data }),
  })
  expect(response.ok(), await response.text()).toBe(true)
  return response.status() === 204 ? null : response.json()
}

const content = (hex: string) => ({ name: 'Fjell', colors: [{ hex, role: 'primary' }] })

/** An agent that draws one image in the brand's colours and writes the brand's name. */
const flow = (brand: string) => ({
  format: 1,
  name: 'Posters',
  nodes: [
    { id: 'brand', type: 'brand_system', settings: { brand: { $type: 'Brand', saved: brand } } },
    { id: 'ask', type: 'user_prompt', settings: { text: 'A jar of cream' } },
    { id: 'paint', type: 'image_generation', settings: { n_images: 1, provider: 'local' } },
  ],
  edges: [
    { from: 'ask.output', to: 'paint.prompt' },
    { from: 'brand.output', to: 'paint.brand' },
  ],
})

/** Publishes a brand, and creates an agent that uses it. Returns their ids. */
async function publishWithAgent(api: Api): Promise<{ brand: string; agent: string }> {
  const brand = await call(api, 'POST', '/brands/', content('#18465c'))
  await call(api, 'POST', `/brands/${brand.id}/publish`, {})
  const agent = await call(api, 'POST', '/flows/', {
    name: 'Posters',
    description: '',
    category: 'ads',
    flow: flow(brand.id),
  })
  return { brand: brand.id, agent: agent.id }
}

/** Launches the agent, and waits until the run has finished. */
async function launch(api: Api, agent: string, prompt: string): Promise<void> {
  const body = { inputs: { ask: prompt }, version: 'draft' }
  const run = await call(api, 'POST', `/flows/${agent}/runs`, body)
  await expect.poll(async () => (await call(api, 'GET', `/runs/${run.id}`)).status).toBe('finished')
}

/** A published brand with an agent that has made one image with it. */
async function launchWithBrand(api: Api) {
  const published = await publishWithAgent(api)
  await launch(api, published.agent, 'A jar of cream')
  return published
}

async function saveAnotherColour(api: Api, brand: string): Promise<void> {
  const draft = await call(api, 'GET', `/brands/${brand}`)
  const match = { 'If-Match': `"${draft.revision}"` }
  await call(api, 'PUT', `/brands/${brand}/draft`, content('#1f4a38'), match)
}

test('a new colour affects an image, which is made again, replaced, and kept after an undo', async ({
  signedInPage: page,
  request,
  server,
  token,
}) => {
  const api = { request, server, token }
  const { brand } = await launchWithBrand(api)
  await saveAnotherColour(api, brand)
  await page.goto(`/brands/${brand}`)
  const panel = page.getByRole('region', { name: 'Assets affected' })
  await expect(panel).toContainText('1 asset was made with values that this draft changes.')
  await panel.getByRole('link', { name: 'Review' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 asset uses what changed')
  await expect(page.getByText('Publish the draft to make assets again.')).toBeVisible()

  await call(api, 'POST', `/brands/${brand}/publish`, {})
  await page.reload()
  await expect(page.getByText('Primary colour changed from #18465c to #1f4a38.')).toBeVisible()
  const group = page.getByRole('region', { name: 'Posters' })
  await expect(group.getByRole('listitem')).toHaveCount(1)
  await expectAccessibleInBothThemes(page)
  await group.getByRole('listitem').getByRole('checkbox').press('Space')
  const quote = page.getByRole('region', { name: 'Quote' })
  await expect(quote).toContainText('1 step runs again. Everything else is reused at no cost.')
  await quote.getByRole('button', { name: 'Regenerate 1 selected' }).press('Enter')

  const made = page.getByRole('region', { name: 'Made again' })
  await made.getByRole('button', { name: /^Replace: / }).click()
  await expect(made.getByRole('status')).toHaveText('Replaced')
  await expect(page.getByText('No asset uses what changed')).toBeVisible()
  const [now] = (await call(api, 'GET', '/assets/library')).items
  expect(now.replaces_id).not.toBeNull()
  await made.getByRole('button', { name: /^Undo: / }).press('Enter')
  await made.getByRole('button', { name: /^Keep the earlier one: / }).click()
  await expect(made.getByRole('status')).toHaveText('Earlier one kept')
  expect((await call(api, 'GET', '/assets/library')).items).toHaveLength(2)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoHorizontalScroll(page)
  await expectAccessibleInBothThemes(page)
})

test('ten thousand assets are counted at once, listed in pages, and regenerated from a selection', {
  tag: '@thorough',
}, async ({ signedInPage: page, request, server, token }) => {
  const api = { request, server, token }
  const { brand, agent } = await launchWithBrand(api)
  const [asset] = (await call(api, 'GET', '/assets/library')).items
  await storeCopies(server, asset.id, 10_000)
  await launch(api, agent, 'A bottle of milk')
  await saveAnotherColour(api, brand)
  await call(api, 'POST', `/brands/${brand}/publish`, {})

  await page.goto(`/brands/${brand}`)
  const panel = page.getByRole('region', { name: 'Assets affected' })
  await expect(panel).toContainText('10,002 assets were made with values that version 2 changed.')
  await expect(panel).toContainText('$400.00')
  await panel.getByRole('link', { name: 'Review' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('10,002 assets use what changed')
  const group = page.getByRole('region', { name: 'Posters' })
  const shown = await group.getByRole('listitem').count()
  expect(shown).toBeLessThan(200)
  await group.getByRole('button', { name: /^Show more/ }).click()
  await expect.poll(() => group.getByRole('listitem').count()).toBeGreaterThan(shown)

  const quote = page.getByRole('region', { name: 'Quote' })
  await page.getByRole('button', { name: 'Select all', exact: true }).click()
  await expect(quote).toContainText('10,002 steps run again.')
  await page.getByRole('button', { name: 'Select none' }).click()
  const newest = group.getByRole('listitem').first()
  await expect(newest).toContainText('A bottle of milk, Posters 1')
  await newest.getByRole('checkbox').press('Space')
  await expect(quote).toContainText('1 step runs again. Everything else is reused at no cost.')
  await quote.getByRole('button', { name: 'Regenerate 1 selected' }).press('Enter')
  const made = page.getByRole('region', { name: 'Made again' })
  await made.getByRole('button', { name: /^Replace: / }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('10,001 assets use what changed')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoHorizontalScroll(page)
})
