import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { picture } from './fixtures/picture'

async function upload(page: Page, ...names: string[]): Promise<void> {
  const files = names.map((name, index) => picture(name, 60 + index * 7, 60))
  await page.getByLabel('Upload').and(page.locator('input')).setInputFiles(files)
  for (const name of names) await expect(page.getByRole('button', { name: `Open ${name}` })).toBeVisible()
}

test('keeps what is uploaded, found by kind and name', async ({ signedInPage: page }) => {
  await page.goto('/library')
  await expect(page.getByText('No assets found')).toBeVisible()
  await upload(page, 'can.png', 'set.png')
  await page.getByLabel('Search assets').fill('can')
  await expect(page.getByRole('button', { name: 'Open set.png' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Open can.png' })).toBeVisible()
  await page.getByLabel('Search assets').fill('')
  await page.getByRole('radio', { name: 'Videos' }).click()
  await expect(page.getByText('No results found')).toBeVisible()
})

test('deletes several with a way back, and sends one to an agent', async ({ signedInPage: page }) => {
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
  await page.getByRole('dialog', { name: 'Send to agent' }).getByText('Packshot Studio').click()
  await expect(page).toHaveURL(/\?agent=/)
  await expect(page.getByRole('radio', { name: 'Packshot Studio' })).toBeChecked()
  await expect(page.getByRole('list', { name: 'Pictures' }).getByRole('listitem')).toHaveCount(1)
})
