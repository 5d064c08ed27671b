import { holdRunEvents } from './editor/flows'
import { expect, expectAccessibleInBothThemes, expectNoHorizontalScroll, keptTest as test } from './fixtures'

const screens = [
  { name: 'Home', path: '/', ready: 'What do you need today ?' },
  { name: 'Agents', path: '/flow/?tab=product', ready: 'Agents' },
  { name: 'Library', path: '/library', ready: 'Library' },
]

for (const { name, path, ready } of screens) {
  test(`axe finds no violations in ${name} in both themes, and it fits 390 px`, async ({
    signedInPage: page,
  }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: ready, exact: true })).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expectAccessibleInBothThemes(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoHorizontalScroll(page)
  })
}

test('axe finds no violations in the launch dialogs and results', async ({ signedInPage: page }) => {
  test.setTimeout(480_000)
  await page.goto('/flow/')
  await page.getByRole('button', { name: 'Create a new flow' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Create a new flow' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.goto('/')
  await page.getByRole('radio', { name: 'Brand Voice Writer' }).click()
  await page.getByRole('button', { name: 'Customize' }).click()
  await expect(page.getByRole('region', { name: 'Customize' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const release = await holdRunEvents(page)
  await page.getByLabel('Your prompt').fill('A can of cold brew')
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.waitForURL(/\/run\//)
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  release()
  await expect(page.getByText('Finished')).toBeVisible({ timeout: 300_000 })
  await expectAccessibleInBothThemes(page)
})
