import type { APIRequestContext, Page } from '@playwright/test'
import { expect, expectNoHorizontalScroll, type Server, storeSession, keptTest as test } from './fixtures'

const WORD = 'Weihnachtsmarktglühweinausschankgenehmigungsantragsformular'.repeat(2)
const LINK = `https://northbound.example/${'autumn'.repeat(20)}`
const SHORT = WORD.slice(0, 80)

type Context = { request: APIRequestContext; server: Server; token: string }

/** An agent, a run, a brand and a collection with names and texts that are long and cannot be broken. */
async function storeLongNames({ request, server, token }: Context) {
  const headers = { Authorization: `Bearer ${token}` }
  const send = async (method: 'post' | 'put', path: string, data: object) => {
    const response = await request[method](`${server.url}/api/v1${path}`, { data, headers })
    expect(response.ok(), await response.text()).toBe(true)
    return response.json()
  }
  const info = { first_name: WORD.slice(0, 120), last_name: 'L', company: WORD.slice(0, 120) }
  await request.put(`${server.url}/api/v1/users/me/info`, {
    data: { ...info, role: 'founder_c_level', reasons: ['save_time'] },
    headers,
  })
  const flow = {
    format: 1,
    name: WORD,
    nodes: [{ id: 'prompt', type: 'user_prompt', version: 1, title: WORD, settings: { text: LINK } }],
    edges: [],
  }
  const facts = { name: WORD.slice(0, 120), description: LINK, visibility: 'public' }
  const { id } = await send('post', '/flows/', { ...facts, flow })
  await send('post', `/flows/${id}/publish`, {})
  const run = await send('post', `/flows/${id}/runs`, { inputs: { prompt: `${LINK} ${WORD}` } })
  const brand = await send('post', '/brands', {
    name: SHORT,
    description: LINK,
    colors: [{ hex: '#de8b3a', role: 'primary', name: SHORT }],
    voice: { tone: [SHORT], dos: [LINK], banned_words: [SHORT], sample_lines: [WORD] },
    legal_line: WORD,
  })
  await send('post', `/brands/${brand.id}/publish`, { note: LINK })
  const collection = await send('post', '/collections', { name: SHORT })
  return { agent: id, run: run.id, brand: brand.id, collection: collection.id }
}

/** Opens each page on a small screen, and expects that it does not scroll sideways. */
async function expectToFit(page: Page, paths: string[]): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of paths) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.locator('main .animate-breathe')).toHaveCount(0)
    await expectNoHorizontalScroll(page)
  }
}

test('Home, a run and Agents fit on a small screen and Home in a window, whatever names and texts they show', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { agent, run } = await storeLongNames({ request, server, token })
  await expectToFit(page, [`/?agent=${agent}`, `/run/${run}`, '/flow/?tab=own'])
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect.poll(() => dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await expectNoHorizontalScroll(page)

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/?agent=${agent}`)
  const estimate = page.getByText(/^Estimate: Weihnacht/)
  await expect(estimate).toBeVisible()
  const between = async () => {
    const customize = await page.getByRole('button', { name: 'Customize' }).boundingBox()
    return (customize?.x ?? 0) - ((await estimate.boundingBox())?.x ?? 0)
  }
  await expect.poll(between, 'the buttons stay right of the estimate').toBeGreaterThan(200)

  await page.getByRole('tab', { name: 'Impasto Agents' }).click()
  await page.getByRole('radio', { name: 'Ad Variations' }).click()
  await page.getByRole('button', { name: /^Brand: / }).click()
  await page.getByRole('menuitemradio', { name: SHORT }).click()
  const top = async (name: string) =>
    (await page.getByRole('button', { name, exact: true }).boundingBox())?.y ?? 0
  const below = async (name: string, other: string) => Math.abs((await top(name)) - (await top(other)))
  for (const width of [1280, 700]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => below('Launch', 'Customize'), `Launch is beside Customize at ${width} px`).toBe(0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect.poll(() => below('Launch', 'Add images'), 'the controls are in one row').toBeLessThan(8)
})

test('no other page scrolls sideways on a small screen', { tag: '@thorough' }, async ({
  page,
  context,
  user,
  server,
  token,
  request,
}) => {
  const { agent, brand, collection } = await storeLongNames({ request, server, token })
  await server.admin('grant', user.username)
  await storeSession(server, context, token)
  await expectToFit(page, [
    '/',
    `/flow/${agent}`,
    '/runs',
    '/library',
    `/brands/${brand}`,
    `/library?collection_id=${collection}`,
    '/brands',
    `/brands/${brand}/impact`,
    '/account',
    '/account/connections',
    '/admin/people',
    '/admin/audit',
  ])
})
