import { holdRuns } from './editor/flows'
import { expect, expectAccessibleInBothThemes, test } from './fixtures'

const pages = [
  { name: 'Home', path: '/', ready: 'What do you need today ?' },
  { name: 'Agents', path: '/flow/?tab=product', ready: 'Agents' },
  { name: 'the library', path: '/library', ready: 'Library' },
]

for (const { name, path, ready } of pages) {
  test(`${name} is for everybody, in both themes and on a telephone`, async ({ signedInPage: page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: ready, exact: true })).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    await expectAccessibleInBothThemes(page)
    await page.setViewportSize({ width: 390, height: 844 })
    const spill = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(spill).toBeLessThanOrEqual(0)
  })
}

test('the dialogs and the results are for everybody', async ({ signedInPage: page }) => {
  test.setTimeout(480_000)
  await page.goto('/flow/')
  await page.getByRole('button', { name: 'Create a new flow' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.goto('/')
  await page.getByText('Brand Voice Writer', { exact: true }).click()
  await page.getByRole('button', { name: 'Customize' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  const release = await holdRuns(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Launch' }).click()
  await page.waitForURL(/\/run\//)
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  release()
  await expect(page.getByText('Finished')).toBeVisible({ timeout: 300_000 })
  await expectAccessibleInBothThemes(page)
})
