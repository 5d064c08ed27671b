import { readFile } from 'node:fs/promises'
import {
  expect,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  keptTest as test,
  toast,
} from './fixtures'
import { FakeProviders } from './fixtures/fake-providers'
import { drawScene, dropFile, imageFile } from './fixtures/image-file'

/** What the server answers for an image that was put together from a photo and a generated setting. */
function composite(photo: object) {
  const setting = { name: 'Setting', state: 'trusted', ai_made: 'yes', asset_id: null, thumbnail_url: null }
  const common = { relationship: 'componentOf', title: 'image', media_type: 'image/png', sources: [] }
  return {
    ...{ state: 'trusted', location: 'embedded', problems: [], ai_made: 'partly', file_url: null },
    ...{
      signer: 'Fjell Skincare',
      organization: 'Fjell Skincare',
      creators: ['Fjell Skincare'],
      generator: 'Impasto',
    },
    ...{ signed_at: '2026-11-22T03:26:00Z', model: 'flux-1.1-pro', provider: 'replicate' },
    ...{ agent: 'Product Launch Kit', agent_version: 3, source_type: 'compositeSynthetic' },
    actions: [
      { action: 'c2pa.created', agent: null, source_type: 'compositeSynthetic' },
      { action: 'c2pa.placed', agent: null, source_type: null },
    ],
    sources: [
      { ...common, state: 'none', ai_made: null, signer: null, model: null, ...photo },
      { ...common, signer: 'Fjell Skincare', model: 'flux-1.1-pro', ...setting },
    ],
  }
}

test('a copy of an image that is dropped on Home is matched with its certainty', async ({
  signedInPage: page,
  server,
  token,
}) => {
  await page.goto('/')
  await expect(page.getByRole('radio').first()).toBeVisible()
  const buffer = Buffer.from(await drawScene(page, 300), 'base64')
  await page.request.post(`${server.url}/api/v1/assets/`, {
    multipart: { file: { name: 'jug.png', mimeType: 'image/png', buffer } },
    headers: { Authorization: `Bearer ${token}` },
  })
  await dropFile(page, 'copy.png', await drawScene(page, 200))
  await page.getByRole('button', { name: 'Details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Made here?' })
  await expect(dialog).toContainText('jug.png')
  await expect(dialog).toContainText(/(9\d|100) % certain/)
})

test('an asset shows its content credentials, and verifies them again by keyboard', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token }) => {
  const headers = { Authorization: `Bearer ${token}` }
  const send = (file: ReturnType<typeof imageFile>) =>
    page.request.post(`${server.url}/api/v1/assets/`, { multipart: { file }, headers })
  const photo = await (await send(imageFile('serum.png', 60, 80))).json()
  const hero = await (await send(imageFile('hero.png', 400, 500))).json()
  let checks = 0
  await page.route(`**/api/v1/assets/${hero.id}/credentials`, async (route) => {
    checks += 1
    const source = { name: photo.name, asset_id: photo.id, thumbnail_url: photo.thumbnail_url }
    await route.fulfill({ json: composite(source) })
  })
  await page.goto('/library')
  await page.getByRole('button', { name: 'Open serum.png' }).click()
  const panel = page.getByRole('region', { name: 'Content Credentials' })
  await expect(panel).toContainText('This file has none.')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Open hero.png' }).click()
  await expect(panel).toContainText('Made with AI in part. Unchanged since this installation signed it.')
  await expect(panel.getByRole('listitem').filter({ hasText: 'serum.png' }).first()).toContainText(
    'No credentials',
  )
  await expect(panel.getByRole('list', { name: 'Edits' }).getByRole('listitem')).toHaveText([
    'serum.png',
    'Setting',
    'Placed',
    'Signed',
  ])
  await expect(panel).toContainText('Fjell Skincare, with Impasto')
  await expect(panel).toContainText('In part: Setting, not serum.png')
  await expect(panel.getByRole('link', { name: 'Download with credentials' })).toHaveAttribute(
    'download',
    'hero.png',
  )
  await panel.getByRole('button', { name: 'Verify again' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => checks).toBe(2)
  await expect(panel.getByRole('status')).toContainText('the signature fits the file')
  await expectAccessibleInBothThemes(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoHorizontalScroll(page)
  await expect(panel).toBeInViewport({ ratio: 0.01 })
})

const painting = {
  format: 1,
  name: 'Two jugs',
  nodes: [
    { id: 'prompt', type: 'user_prompt', version: 1, settings: { text: '' } },
    {
      id: 'paint',
      type: 'image_generation',
      version: 1,
      title: 'Jugs',
      settings: { provider: 'replicate', n_images: 2 },
    },
  ],
  edges: [{ from: 'prompt.output', to: 'paint.prompt' }],
}

test('what the viewer downloads is the marked and signed file', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  providers: _,
}) => {
  const headers = { Authorization: `Bearer ${token}` }
  const api = (path: string) => `${server.url}/api/v1${path}`
  const key = { data: { key: FakeProviders.GOOD_KEY }, headers }
  expect((await page.request.put(api('/credentials/replicate'), key)).ok()).toBe(true)
  const flow = { data: { name: painting.name, flow: painting }, headers }
  const { id } = await (await page.request.post(api('/flows/'), flow)).json()
  await page.request.patch(api(`/flows/${id}`), { data: { mark_exports: true }, headers })
  await page.request.post(api(`/flows/${id}/publish`), { data: {}, headers })
  await page.goto(`${server.url}/?agent=${id}`)
  await page.getByLabel('Your prompt').fill('A jug')
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page
    .getByRole('button', { name: /^View Jugs/ })
    .first()
    .click()

  const viewer = page.getByRole('dialog')
  const row = viewer.getByRole('navigation', { name: 'Results' }).getByRole('button')
  await expect(row).toHaveCount(2)
  await expect(row.first()).toHaveAttribute('aria-current', 'true')
  await row.nth(1).press('Enter')
  await expect(row.nth(1)).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('ArrowRight')
  await expect(row.first()).toHaveAttribute('aria-current', 'true')
  const panel = viewer.getByRole('region', { name: 'Content Credentials' })
  await expect(panel).toContainText('Made with AI. Unchanged since this installation signed it.')

  const traced = async (start: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), start()])
    const buffer = await readFile(await download.path())
    const file = { name: 'jug.png', mimeType: 'image/png', buffer }
    return (await page.request.post(api('/assets/trace'), { multipart: { file }, headers })).json()
  }
  const marked = await traced(() => viewer.getByRole('button', { name: 'Download', exact: true }).click())
  expect(marked.credentials).toMatchObject({ state: 'trusted', ai_made: 'yes' })
  expect(marked.credentials.sources).toMatchObject([{ relationship: 'parentOf', state: 'trusted' }])
  const linked = await traced(() => panel.getByRole('link', { name: 'Download with credentials' }).click())
  expect(linked.credentials).toEqual(marked.credentials)
  const plain = await traced(async () => {
    await panel.getByRole('button', { name: 'More for the credentials' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Download without the AI mark' }).press('Enter')
  })
  expect(plain.credentials).toMatchObject({ state: 'trusted', ai_made: 'yes', sources: [] })
  await expectAccessibleInBothThemes(page, '[role="dialog"]')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoHorizontalScroll(page)
})

test('a builder has images marked, and a user has their credentials give a name', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token }) => {
  const headers = { Authorization: `Bearer ${token}` }
  await page.request.post(`${server.url}/api/v1/flows/`, { data: { name: 'Marked Jugs' }, headers })
  await page.goto('/flow/')
  for (const [before, after] of [
    ['false', 'true'],
    ['true', 'false'],
  ] as const) {
    await page.getByRole('button', { name: 'Actions for Marked Jugs', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit agent' })
    const watermark = dialog.getByRole('switch', { name: 'Invisible watermark' })
    await expect(watermark).toHaveAttribute('aria-checked', before)
    await expect(watermark).toHaveAccessibleDescription(/JPEG at quality 40/)
    await watermark.press('Space')
    await expect(watermark).toHaveAttribute('aria-checked', after)
    if (after === 'true') await expectAccessibleInBothThemes(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
  }
  await page.goto('/account/')
  const name = page.getByRole('textbox', { name: 'Name in the files you generate' })
  await name.fill('Fjell Skincare')
  await page.getByRole('button', { name: 'Set name' }).click()
  await expect(toast(page, 'Files that you generate from now on give this name.')).toBeVisible()
  await page.reload()
  await expect(name).toHaveValue('Fjell Skincare')
})
