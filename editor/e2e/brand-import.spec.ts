import { expect, expectAccessibleInBothThemes, expectNoHorizontalScroll, keptTest as test } from './fixtures'
import { Website } from './fixtures/website'

test('a website becomes a brand of what was ticked, which signs a launch', async ({
  signedInPage: page,
  token,
}) => {
  const website = await Website.start()
  try {
    await page.goto('/brands')
    await page.getByRole('button', { name: /^From a website/ }).click()
    const dialog = page.getByRole('dialog', { name: 'From a website' })
    await dialog.getByLabel('Address of the website').fill('http://127.0.0.1:9/')
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('127.0.0.1 cannot be reached.')
    await dialog.getByLabel('Address of the website').fill(website.url)
    await dialog.getByRole('button', { name: 'Read the website' }).click()

    const primary = dialog.getByRole('checkbox', { name: '#18465c Primary' })
    await expect(primary).toBeChecked()
    await expect(primary).toHaveAccessibleDescription(/^stylesheet site\.css, \d uses?, called --primary$/)
    await expect(dialog.getByRole('checkbox', { name: 'Source Serif Pro Headlines' })).toBeChecked()
    await expect(dialog.getByRole('checkbox', { name: 'On light' })).toBeChecked()
    await expectAccessibleInBothThemes(page, '[role=dialog]')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoHorizontalScroll(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByRole('checkbox', { name: '#c98b5e Accent' }).press('Space')
    await dialog.getByRole('button', { name: 'Create brand' }).click()

    await expect(page.getByRole('heading', { level: 1, name: 'Praxis Öhler' })).toBeVisible()
    await expect(page.getByLabel('Hex of the Primary colour')).toHaveValue('#18465c')
    await expect(page.getByLabel('Hex of the Accent colour')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Replace the logo for light backgrounds' })).toBeVisible()
    await page.getByRole('button', { name: 'Publish version 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish version 1' }).click()
    await expect(page.getByText('Published, version 1')).toBeVisible()

    await page.getByRole('link', { name: 'Home' }).click()
    await expect(page.getByRole('button', { name: 'Brand: Praxis Öhler' })).toBeVisible()
    await page.getByRole('radio', { name: 'Moodboard' }).click()
    await page.getByLabel('Your prompt').fill('Ein ruhiger Morgen in der Praxis')
    await page.getByRole('button', { name: 'Launch', exact: true }).click()
    await page.waitForURL(/\/run\//)
    const id = new URL(page.url()).pathname.split('/').at(-1)
    const headers = { Authorization: `Bearer ${token}` }
    const run = await (await page.request.get(`/api/v1/runs/${id}`, { headers })).json()
    expect(run.brands).toMatchObject([{ name: 'Praxis Öhler', version: 1 }])
    await page.request.post(`/api/v1/runs/${id}/cancel`, { headers })
  } finally {
    await website.stop()
  }
})
