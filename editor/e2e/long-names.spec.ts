import { expect, expectNoHorizontalScroll, storeSession, test } from './fixtures'

const WORD = 'Weihnachtsmarktglühweinausschankgenehmigungsantragsformular'.repeat(2)
const LINK = `https://northbound.example/${'autumn'.repeat(20)}`

test('no page scrolls sideways on a small screen, whatever names and texts it shows', async ({
  page,
  server,
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
    '/account',
  ]
  for (const path of paths) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    await expect(page.locator('main .animate-breathe')).toHaveCount(0)
    await expectNoHorizontalScroll(page)
  }
})
