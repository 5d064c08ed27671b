import { expect, expectNoHorizontalScroll, storeSession, keptTest as test } from './fixtures'

const WORD = 'Weihnachtsmarktglühweinausschankgenehmigungsantragsformular'.repeat(2)
const LINK = `https://northbound.example/${'autumn'.repeat(20)}`

test('no page scrolls sideways on a small screen, whatever names and texts it shows', async ({
  page,
  server,
  user,
  token,
  context,
}) => {
  const headers = { Authorization: `Bearer ${token}` }
  const send = async (method: 'post' | 'put', path: string, data: object) => {
    const response = await page.request[method](`${server.url}/api/v1${path}`, { data, headers })
    expect(response.ok(), await response.text()).toBe(true)
    return response.json()
  }
  const info = { first_name: WORD.slice(0, 120), last_name: 'L', company: WORD.slice(0, 120) }
  await page.request.put(`${server.url}/api/v1/users/me/info`, {
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
  const short = WORD.slice(0, 80)
  const brand = await send('post', '/brands', {
    name: short,
    description: LINK,
    colors: [{ hex: '#de8b3a', role: 'primary', name: short }],
    voice: { tone: [short], dos: [LINK], banned_words: [short], sample_lines: [WORD] },
    legal_line: WORD,
  })
  await send('post', `/brands/${brand.id}/publish`, { note: LINK })
  const collection = await send('post', '/collections', { name: short })
  await server.admin('grant', user.username)
  await storeSession(server, context, token)
  await page.setViewportSize({ width: 390, height: 844 })
  const paths = [
    '/',
    `/?agent=${id}`,
    '/flow/?tab=own',
    `/flow/${id}`,
    `/run/${run.id}`,
    '/runs',
    '/library',
    `/library?collection_id=${collection.id}`,
    '/brands',
    `/brands/${brand.id}`,
    `/brands/${brand.id}/impact`,
    '/account',
    '/account/connections',
    '/admin/people',
    '/admin/audit',
  ]
  for (const path of paths) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.locator('main .animate-breathe')).toHaveCount(0)
    await expectNoHorizontalScroll(page)
  }
  await page.goto('/flow/?tab=own')
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect.poll(() => dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await expectNoHorizontalScroll(page)

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`/?agent=${id}`)
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
  await page.getByRole('menuitemradio', { name: short }).click()
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
