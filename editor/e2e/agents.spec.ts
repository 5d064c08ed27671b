import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { createFlow, flowNode } from './editor/canvas'
import { deleteForGood, expect, keptTest as test } from './fixtures'
import { imageFile } from './fixtures/image-file'
import { intercept } from './fixtures/interception'

async function create(page: Page, name: string): Promise<void> {
  await page.goto('/flow/')
  await page.getByRole('button', { name: 'Create a new flow' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create a new flow' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Description').fill('Nine frames in our palette.')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/flow\/.+/)
  await page.getByRole('link', { name: 'Agents' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('empty list explains how to start; filters narrow the product agents', async ({
  signedInPage: page,
}) => {
  const requested = page.waitForRequest((request) =>
    request.url().includes('/api/v1/flows/?include_all=true'),
  )
  await page.goto('/flow/')
  await requested
  await expect(page.getByText('Product Launch Kit', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Your Agents' }).click()
  await expect(page.getByText('No flows available. Create your first flow to get started!')).toBeVisible()
  await page.getByRole('tab', { name: 'Impasto Agents' }).click()
  await expect(page.getByText('Product Launch Kit', { exact: true })).toBeVisible()
  await page.getByRole('radio', { name: 'Viral content' }).click()
  await expect(page).toHaveURL(/category=viral_content/)
  await page.getByLabel('Search agents').fill('no such agent')
  await expect(page.getByText('No results found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByText('Product Launch Kit', { exact: true })).toBeVisible()
})

test('agents are created, renamed, duplicated and deleted, with undo', async ({ signedInPage: page }) => {
  await create(page, 'Autumn Moodboard')
  await chooseAction(page, 'Autumn Moodboard', 'Edit')
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

  await chooseAction(page, 'Winter Moodboard', 'Duplicate')
  await expect(page.getByRole('link', { name: /Winter Moodboard/ })).toHaveCount(2)

  await chooseAction(page, 'Winter Moodboard', 'Delete')
  await expect(page.getByRole('link', { name: 'Winter Moodboard', exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: 'Winter Moodboard', exact: true })).toBeVisible()

  await deleteForGood(page, () => chooseAction(page, 'Winter Moodboard', 'Delete'))
  await page.reload()
  await expect(page.getByRole('link', { name: /Winter Moodboard/ })).toHaveCount(1)
})

test('an agent is exported and imported; other files are rejected', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  await createFlow(request, server.url, token, { name: 'Café Ads', flow: { nodes: [] } })
  await page.goto('/flow/?tab=own')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chooseAction(page, 'Café Ads', 'Export'),
  ])
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
  await expect(page.getByText('This is not an agent file.', { exact: true })).toBeVisible()
})

test('an agent gets a cropped cover, is marked as legacy and published again', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const flow = { nodes: [flowNode('length', 'number', 0, 0)] }
  const id = await createFlow(request, server.url, token, { name: 'Cold Brew Videos', flow })
  const headers = { Authorization: `Bearer ${token}` }
  const published = await request.post(`${server.url}/api/v1/flows/${id}/publish`, { data: {}, headers })
  expect(published.ok(), await published.text()).toBe(true)
  await page.goto('/flow/?tab=own')
  await chooseAction(page, 'Cold Brew Videos', 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit agent' })
  await dialog.locator('input[type=file]').setInputFiles(imageFile('cover.png', 640, 320))
  const crop = page.getByRole('dialog', { name: 'Cover' })
  await crop.getByRole('slider').focus()
  await page.keyboard.press('ArrowRight')
  await crop.getByRole('button', { name: /^(Apply|Use|Save|Done)/ }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const card = page.getByRole('link', { name: 'Cold Brew Videos' })
  await expect(card.locator('img')).toHaveJSProperty('naturalWidth', 960)
  const size = await card
    .locator('img')
    .evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])
  expect(size).toEqual([960, 640])

  await expect(card).toContainText('Published')
  await chooseAction(page, 'Cold Brew Videos', 'Mark as legacy')
  await expect(card).toContainText('Legacy')
  await chooseAction(page, 'Cold Brew Videos', 'Publish again')
  await expect(card).toContainText('Published')
})

test('an agent with pictures is exported as a zip, and names what it lacks', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const headers = { Authorization: `Bearer ${token}` }
  const upload = async (name: string) => {
    const multipart = { file: imageFile(name, 60, 40) }
    const response = await request.post(`${server.url}/api/v1/assets/`, { headers, multipart })
    return (await response.json()) as { id: string; media_type: string; name: string }
  }
  const [kept, gone] = [await upload('kept.png'), await upload('gone.png')]
  const picture = ({ id, media_type, name }: typeof kept) => ({
    id: name.replace('.png', ''),
    type: 'picture',
    title: `Picture of ${name}`,
    settings: { image: { $type: 'Image', asset_id: id, media_type, name } },
  })
  const flow = { format: 1, nodes: [picture(kept), picture(gone)], edges: [] }
  await createFlow(request, server.url, token, { name: 'Picture Kit', flow })
  await request.delete(`${server.url}/api/v1/assets/${gone.id}`, { headers })

  await page.goto('/flow/?tab=own')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    chooseAction(page, 'Picture Kit', 'Export'),
  ])
  expect(download.suggestedFilename()).toBe('picture-kit.zip')
  await expect(page.getByText(/^Exporting 1 file, \d+/)).toBeVisible()
  const lacking = 'The exported file does not contain 1 part: gone.png (Picture of gone.png)'
  await expect(page.getByText(lacking, { exact: true })).toBeVisible()

  const file = {
    name: 'picture-kit.zip',
    mimeType: 'application/zip',
    buffer: await readFile(await download.path()),
  }
  const imported = page.waitForResponse((response) => response.url().endsWith('/flows/import/file'))
  await page.getByLabel('Import').and(page.locator('input')).setInputFiles(file)
  const answer = (await (await imported).json()) as { files: number; missing: { name: string }[] }
  expect([answer.files, answer.missing.map(({ name }) => name)]).toEqual([1, ['gone.png']])
  await expect(page.getByText('Picture Kit imported without 1 part', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: /Picture Kit/ })).toHaveCount(2)

  await intercept(page, '**/flows/import/file', (route) => route.abort(), { times: 1 })
  await page.getByLabel('Import').and(page.locator('input')).setInputFiles(file)
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('Picture Kit imported without 1 part', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: /Picture Kit/ })).toHaveCount(3)

  const broken = { ...file, name: 'broken.zip', buffer: file.buffer.subarray(0, 200) }
  await page.getByLabel('Import').and(page.locator('input')).setInputFiles(broken)
  await expect(
    page.getByText('This zip is damaged, or is no agent that was exported from Impasto.', { exact: true }),
  ).toBeVisible()
})
