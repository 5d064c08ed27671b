import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { picture } from './fixtures/image-file'

async function create(page: Page, name: string): Promise<void> {
  await page.goto('/flow/')
  await page.getByRole('button', { name: 'Create a new flow' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create a new flow' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Description').fill('Nine frames in our palette.')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/flow\/.+/)
  await page.goto('/flow/')
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('begins with words that teach', async ({ signedInPage: page }) => {
  const asked = page.waitForRequest((request) => request.url().includes('/api/v1/flows/?include_all=true'))
  await page.goto('/flow/')
  await asked
  await expect(page.getByText('No flows available. Create your first flow to get started!')).toBeVisible()
  await page.getByRole('tab', { name: 'Impasto Agents' }).click()
  await expect(page.getByText('Product Launch Kit', { exact: true })).toBeVisible()
  await page.getByRole('radio', { name: 'Viral content' }).click()
  await expect(page).toHaveURL(/category=viral_content/)
  await page.getByLabel('Search agents').fill('nobody')
  await expect(page.getByText('No results found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByText('Product Launch Kit', { exact: true })).toBeVisible()
})

test('makes, renames, copies and takes away agents, with a way back', async ({ signedInPage: page }) => {
  await create(page, 'Autumn Moodboard')
  await choose(page, 'Autumn Moodboard', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit agent' })
  await dialog.getByLabel('Name').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await dialog.getByLabel('Name').fill('Winter Moodboard')
  await dialog.getByLabel('Category').click()
  await page.getByRole('option', { name: 'Creative assets' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Winter Moodboard' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Winter Moodboard' })).toContainText('Creative assets')
  await expect(page.getByRole('link', { name: 'Winter Moodboard' })).toContainText('Draft')

  await choose(page, 'Winter Moodboard', 'Duplicate')
  await expect(page.getByRole('link', { name: /Winter Moodboard/ })).toHaveCount(2)

  await choose(page, 'Winter Moodboard', 'Delete')
  await expect(page.getByRole('link', { name: 'Winter Moodboard', exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: 'Winter Moodboard', exact: true })).toBeVisible()

  const gone = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await choose(page, 'Winter Moodboard', 'Delete')
  expect((await gone).status()).toBe(204)
  await page.reload()
  await expect(page.getByRole('link', { name: /Winter Moodboard/ })).toHaveCount(1)
})

test('goes out as a file and comes in again; another file is told apart', async ({ signedInPage: page }) => {
  await create(page, 'Café Ads')
  const [download] = await Promise.all([page.waitForEvent('download'), choose(page, 'Café Ads', 'Export')])
  expect(download.suggestedFilename()).toBe('cafe-ads.json')
  const buffer = await readFile(await download.path())
  const chooser = page.getByLabel('Import').and(page.locator('input'))
  await chooser.setInputFiles({ name: 'cafe-ads.json', mimeType: 'application/json', buffer })
  await expect(page.getByRole('link', { name: /Café Ads/ })).toHaveCount(2)
  await chooser.setInputFiles({
    name: 'notes.json',
    mimeType: 'application/json',
    buffer: Buffer.from('not json'),
  })
  await expect(page.getByText('notes.json is not a flow file.', { exact: true })).toBeVisible()
})

test('an agent wears a cover cut from a picture, retires and comes back', async ({ signedInPage: page }) => {
  await create(page, 'Cold Brew Films')
  await choose(page, 'Cold Brew Films', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit agent' })
  await dialog.locator('input[type=file]').setInputFiles(picture('cover.png', 640, 320))
  const crop = page.getByRole('dialog', { name: 'Cover' })
  await crop.getByRole('slider').focus()
  await page.keyboard.press('ArrowRight')
  await crop.getByRole('button', { name: /^(Apply|Use|Save|Done)/ }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const card = page.getByRole('link', { name: 'Cold Brew Films' })
  await expect(card.locator('img')).toHaveJSProperty('naturalWidth', 960)
  const sides = await card
    .locator('img')
    .evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])
  expect(sides).toEqual([960, 640])

  await card.click()
  await page.getByRole('button', { name: 'Number', exact: true }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await expect(page.getByText('Version 1 is live').first()).toBeVisible()
  await page.goto('/flow/')
  await expect(card).toContainText('Published')
  await choose(page, 'Cold Brew Films', 'Mark as legacy')
  await expect(card).toContainText('Legacy')
  await choose(page, 'Cold Brew Films', 'Publish again')
  await expect(card).toContainText('Published')
})
