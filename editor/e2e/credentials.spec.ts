import { expect, expectAccessibleInBothThemes, test } from './fixtures'
import { imageFile } from './fixtures/image-file'

/** What the server answers for an image that was put together from a photo and a generated setting. */
function composite(photo: object) {
  const setting = { name: 'Setting', state: 'trusted', ai_made: 'yes', asset_id: null, thumbnail_url: null }
  const common = { relationship: 'componentOf', title: 'image', media_type: 'image/png', sources: [] }
  return {
    ...{ state: 'trusted', location: 'embedded', problems: [], ai_made: 'partly', file_url: null },
    ...{ signer: 'Fjell Skincare', organization: 'Fjell Skincare', generator: 'Impasto' },
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

test('an asset shows its content credentials, and verifies them again by keyboard', async ({
  signedInPage: page,
  server,
  token,
}) => {
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
  await panel.getByRole('button', { name: 'Verify again' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => checks).toBe(2)
  await expect(panel.getByRole('status')).toContainText('the signature fits the file')
  await expectAccessibleInBothThemes(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await expect(panel).toBeInViewport({ ratio: 0.01 })
})
