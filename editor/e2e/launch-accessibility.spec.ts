import { holdRunEvents } from './editor/flows'
import { expect, expectAccessibleInBothThemes, keptTest as test } from './fixtures'

test('axe finds no violations in Agents and the launch dialogs and results', async ({
  signedInPage: page,
}) => {
  await page.goto('/flow/?tab=product')
  await expect(page.getByRole('heading', { name: 'Agents', exact: true })).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expectAccessibleInBothThemes(page, 'main')
  await page.getByRole('button', { name: 'Create a new flow' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Create a new flow' })).toBeVisible()
  await expectAccessibleInBothThemes(page, '[role=dialog]')
  await page.goto('/')
  await page.getByRole('radio', { name: 'Brand Voice Writer' }).click()
  await page.getByRole('button', { name: 'Customize' }).click()
  await expect(page.getByRole('region', { name: 'Customize' })).toBeVisible()
  await expectAccessibleInBothThemes(page, 'main')
  const release = await holdRunEvents(page)
  await page.getByLabel('Your prompt').fill('A can of cold brew')
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.waitForURL(/\/run\//)
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  release()
  await expect(page.getByText('Finished')).toBeVisible()
  await expectAccessibleInBothThemes(page, 'main')
})
