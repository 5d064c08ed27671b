import { keptTest as base, expect, signIn } from './fixtures'
import { driver, expectOneRequest, PHONE } from './fixtures/dialogs'

const test = base.extend({
  user: ({ admin }, use) => use(admin),
  token: async ({ server, context, user }, use) => use(await signIn(server, context.request, user)),
})

test.use({ viewport: PHONE, hasTouch: true })

const prompt = { id: 'prompt', type: 'user_prompt', version: 1, settings: { text: 'Short.' } }

const model = {
  name: 'qwen3-4b',
  title: 'Qwen3 4B Instruct for texts in the language of the practice',
  kind: 'text',
  bytes: 2_500_000_000,
  memory_bytes: 4_000_000_000,
  languages: 'English, German, Japanese and 97 more',
  licence: 'Apache-2.0',
  state: 'offered',
  received_bytes: 0,
  is_recommended: true,
  failure: null,
}

test('the dialogs of the administration work on a phone', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
  user,
}) => {
  const drive = driver(page)
  const name = 'Zahnarztpraxisterminerinnerungskartenvorlage'
  const headers = { Authorization: `Bearer ${token}` }
  const data = { name, visibility: 'public', flow: { format: 1, name, nodes: [prompt], edges: [] } }
  const { id } = await (await request.post(`${server.url}/api/v1/flows/`, { data, headers })).json()
  await request.post(`${server.url}/api/v1/flows/${id}/publish`, { data: {}, headers })
  await page.goto('/admin/people')
  await drive(user.username, page.getByRole('button', { name: `Manage ${user.username}` }))

  await page.goto('/admin/agents')
  const unpublish = page.getByRole('button', { name: `Unpublish: ${name}` })
  const republish = page.getByRole('button', { name: `Republish: ${name}` })
  const dialog = page.getByRole('dialog')
  await drive(`Unpublish ${name}`, unpublish)
  await test.step('Enter pressed twice unpublishes once', async () => {
    await unpublish.press('Enter')
    await dialog.getByLabel('Reason').fill('Claims a cure')
    await expectOneRequest(page, '**/admin/flows/**', () => expect(republish).toBeFocused())
  })
  await drive(`Republish ${name}`, republish)
  await test.step('Enter pressed twice republishes once', async () => {
    await republish.press('Enter')
    await dialog.getByLabel('Reason').fill('Mended')
    await expectOneRequest(page, '**/admin/flows/**', () => expect(unpublish).toBeFocused())
  })
})

test('the dialog that downloads a model works on a phone', { tag: '@thorough' }, async ({
  signedInPage: page,
}) => {
  const drive = driver(page)
  await page.route('**/api/v1/connections', async (route) => {
    const answer = await (await route.fetch()).json()
    const items = answer.items.map((one: { provider: string }) => ({
      ...one,
      has_downloads: one.provider === 'local',
    }))
    await route.fulfill({ json: { ...answer, items } })
  })
  const items = [model]
  await page.route('**/connections/local/downloads', (route) =>
    route.fulfill({ json: { is_allowed: true, items } }),
  )
  await page.route(`**/connections/local/downloads/${model.name}`, (route) => {
    if (route.request().method() === 'GET') {
      const url = `https://models.example/${model.name}/resolve/main/${model.name}-instruct-q4_k_m.gguf`
      const { licence, bytes } = model
      return route.fulfill({ json: { name: model.name, licence, bytes, sha256: 'a1b2'.repeat(16), url } })
    }
    items[0] = { ...model, state: 'downloading' }
    return route.fulfill({ json: { is_allowed: true, items } })
  })
  await page.goto('/account/connections')
  const download = page.getByRole('button', { name: `Download ${model.title}` })
  await drive(`Download ${model.title}?`, download)
  await download.press('Enter')
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true })
  await expect(confirm).toBeEnabled()
  await confirm.focus()
  let sent = 0
  page.on('request', (one) => {
    sent += Number(one.method() !== 'GET' && one.url().includes('/downloads/'))
  })
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('progressbar', { name: `Download of ${model.title}` })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(sent).toBe(1)
})
