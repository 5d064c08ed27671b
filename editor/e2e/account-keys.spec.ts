import type { Page } from '@playwright/test'
import { deleteForGood, expect, keptTest as test, toast } from './fixtures'

const openAiKey = (page: Page) => page.getByRole('main').getByRole('listitem').filter({ hasText: 'OpenAI' })

test('a provider key is saved, shown by its last four characters, replaced and removed', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token }) => {
  await page.goto('/account/')
  const form = page.getByRole('form', { name: 'Add a provider key' })
  await form.getByLabel('Key', { exact: true }).fill('sk-first-abcd')
  await form.getByRole('button', { name: 'Save key' }).click()
  await expect(form.getByText('Choose a provider.')).toBeVisible()
  await form.getByRole('combobox', { name: 'Provider' }).click()
  await page.getByRole('option', { name: 'OpenAI', exact: true }).click()
  await form.getByLabel('Key', { exact: true }).fill('short')
  await form.getByRole('button', { name: 'Save key' }).click()
  await expect(form.getByText('Key must be at least 8 characters.')).toBeVisible()
  await form.getByLabel('Key', { exact: true }).fill('sk-first-abcd')
  await form.getByRole('button', { name: 'Save key' }).click()
  await expect(toast(page, 'Key for OpenAI saved.')).toBeVisible()
  await expect(openAiKey(page)).toContainText('•••• abcd')
  await expect(form.getByLabel('Key', { exact: true })).toHaveValue('')

  await form.getByRole('combobox', { name: 'Provider' }).click()
  await page.getByRole('option', { name: 'OpenAI', exact: true }).click()
  await form.getByLabel('Key', { exact: true }).fill('sk-second-wxyz')
  await form.getByRole('button', { name: 'Replace key' }).click()
  await expect(openAiKey(page)).toContainText('•••• wxyz')
  await page.reload()
  await expect(openAiKey(page)).toContainText('•••• wxyz')
  expect(await page.content()).not.toContain('sk-second-wxyz')

  await page.getByRole('button', { name: 'Remove the key for OpenAI' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(openAiKey(page)).toBeVisible()
  await deleteForGood(page, () => page.getByRole('button', { name: 'Remove the key for OpenAI' }).click())
  const remaining = await page.request.get(`${server.url}/api/v1/credentials/`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect((await remaining.json()).items).toEqual([])
})

test('an API key is shown once, works, and is revoked', async ({ signedInPage: page, server }) => {
  await page.goto('/account/')
  await page.getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await dialog.getByLabel('Name', { exact: true }).fill('Newsletter')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await dialog.getByLabel('Key', { exact: true }).inputValue()
  expect(key).toMatch(/^imp_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Newsletter' })
  await expect(row).toContainText(`•••• ${key.slice(-4)}`)
  await expect(row).toContainText('Read and launch')
  const listFlows = () =>
    page.request.get(`${server.url}/api/v1/flows/`, { headers: { Authorization: `Bearer ${key}` } })
  expect((await listFlows()).status()).toBe(200)

  await deleteForGood(page, () => page.getByRole('button', { name: 'Revoke Newsletter' }).click())
  await expect(row).toHaveCount(0)
  expect((await listFlows()).status()).toBe(401)
})
