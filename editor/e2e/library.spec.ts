import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { centerOf } from './editor/canvas'
import { expect, type Server, keptTest as test } from './fixtures'
import { expectAccessible } from './fixtures/axe'
import { closeByEscape } from './fixtures/dialogs'
import { imageFile } from './fixtures/image-file'

async function upload(page: Page, ...names: string[]): Promise<void> {
  const files = names.map((name, index) => imageFile(name, 60 + index * 7, 60))
  await page.getByLabel('Upload').and(page.locator('input')).setInputFiles(files)
  for (const name of names) await expect(page.getByRole('button', { name: `Open ${name}` })).toBeVisible()
}

/** Uploads more assets than fit into a small window. */
async function fillLibrary(page: Page, server: Server, token: string): Promise<void> {
  await page.setViewportSize({ width: 700, height: 500 })
  const headers = { Authorization: `Bearer ${token}` }
  for (let number = 0; number < 24; number += 1) {
    const file = imageFile(`shot-${number}.png`, 40 + number, 40)
    const sent = await page.request.post(`${server.url}/api/v1/assets/`, { multipart: { file }, headers })
    expect(sent.status()).toBe(201)
  }
}

/** Moves the focus six rows down from the newest asset; returns the focused asset and the scroll position. */
async function moveDown(page: Page): Promise<{ name: string; top: number }> {
  await page.getByRole('button', { name: 'Open shot-23.png' }).focus()
  for (let row = 0; row < 6; row += 1) await page.keyboard.press('ArrowDown')
  const focused = page.locator('[data-asset]:focus')
  await expect(focused).toBeInViewport()
  await centerOf(focused)
  const name = (await focused.getAttribute('aria-label')) ?? ''
  return { name, top: await page.evaluate(() => window.scrollY) }
}

test('uploaded assets are listed, filtered by kind and name, and downloaded as one zip file', async ({
  signedInPage: page,
}) => {
  await page.goto('/library')
  await expect(page.getByText('No assets found')).toBeVisible()
  await upload(page, 'can.png', 'set.png')
  await page.getByLabel('Search assets').fill('can')
  await expect(page.getByRole('button', { name: 'Open set.png' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Open can.png' })).toBeVisible()
  await page.getByLabel('Search assets').fill('')
  await page.getByRole('radio', { name: 'Videos' }).click()
  await expect(page.getByText('No results found')).toBeVisible()
  await page.getByRole('radio', { name: 'Images' }).click()

  for (const name of ['can.png', 'set.png'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  const [zip] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('toolbar').getByRole('button', { name: 'Download' }).click(),
  ])
  expect(zip.suggestedFilename()).toBe('assets.zip')
  const data = await readFile(await zip.path())
  for (const name of ['can.png', 'set.png']) expect(data.includes(name)).toBe(true)
})

test('several assets are deleted with undo, and one is sent to an agent', async ({ signedInPage: page }) => {
  await page.goto('/library')
  await upload(page, 'one.png', 'two.png', 'three.png')
  await page.getByRole('checkbox', { name: 'Select one.png' }).click()
  await page.getByRole('checkbox', { name: 'Select two.png' }).click()
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Open one.png' })).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Open one.png' })).toBeVisible()

  await page.getByRole('button', { name: 'Open three.png' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send to agent' }).click()
  const agents = page.getByRole('dialog', { name: 'Send to agent' })
  await expect(agents.getByText('Packshot Studio')).toBeVisible()
  await expect(agents.getByText('Storyboard')).toHaveCount(0)
  await agents.getByText('Packshot Studio').click()
  await expect(page).toHaveURL(/\?agent=/)
  await expect(page.getByRole('radio', { name: 'Packshot Studio' })).toBeChecked()
  await expect(page.getByRole('list', { name: 'Images' }).getByRole('listitem')).toHaveCount(1)
})

test('arrow keys move beyond the rendered rows, and going back and forward restores the place and the filters', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token }) => {
  await fillLibrary(page, server, token)
  await page.goto('/account/')
  await page.getByRole('link', { name: 'Library', exact: true }).click()
  const { name, top } = await moveDown(page)
  expect(name).not.toContain('shot-23')
  expect(top).toBeGreaterThan(200)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
  await page.goForward()
  await expect(page.getByRole('button', { name })).toBeInViewport()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top)

  await page.getByLabel('Search assets').fill('shot')
  await page.getByRole('radio', { name: 'Images' }).click()
  await expect(page).toHaveURL(/kind=image/)
  await expect(page).toHaveURL(/q=shot/)
  await page.getByRole('link', { name: 'Agents', exact: true }).click()
  await expect(page).toHaveURL(/\/flow/)
  await page.goBack()
  await expect(page.getByLabel('Search assets')).toHaveValue('shot')
  await expect(page.getByRole('radio', { name: 'Images' })).toBeChecked()
})

test('assets are favourites, have tags and are in collections, and the address keeps the filters', async ({
  signedInPage: page,
}) => {
  await page.goto('/library')
  await upload(page, 'one.png', 'two.png', 'three.png')
  await page.getByRole('button', { name: 'Open three.png' }).focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByText('2 selected')).toBeVisible()
  const toolbar = page.getByRole('toolbar')
  await toolbar.getByRole('button', { name: 'Favourite' }).click()
  await toolbar.getByRole('button', { name: 'Tags' }).click()
  await page.getByRole('combobox', { name: 'Add a tag' }).fill('Spring')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Remove Spring' })).toBeVisible()
  await page.keyboard.press('Escape')
  await toolbar.getByRole('button', { name: 'Add to collection' }).click()
  await page.getByLabel('New collection').fill('Launch')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 assets added to Launch', { exact: true })).toBeVisible()
  await toolbar.getByRole('button', { name: 'Compare' }).click()
  await expect(page.getByRole('dialog', { name: 'Compare' }).getByRole('img')).toHaveCount(2)
  await closeByEscape(page.getByRole('dialog', { name: 'Compare' }))
  await toolbar.getByRole('button', { name: 'Clear selection' }).click()

  await page.getByRole('button', { name: 'Favourite two.png' }).click()
  await page.getByRole('button', { name: 'Favourites' }).click()
  await page.getByRole('combobox', { name: 'Collection' }).click()
  await page.getByRole('option', { name: 'Launch' }).click()
  await expect(page.getByRole('heading', { name: 'Launch' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Open three.png' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open two.png' })).toBeHidden()
  await expectAccessible(page)
})
