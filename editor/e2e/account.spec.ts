import { expect, newUser, keptTest as test, toast } from './fixtures'
import { imageFile } from './fixtures/image-file'

test('the account page shows the user, the quota and the use, and their data can be downloaded', async ({
  signedInPage: page,
  user,
}) => {
  await page.goto('/account/')
  await expect(page.getByRole('heading', { name: 'Mara Lindqvist' })).toBeVisible()
  await expect(page.getByText(user.email).first()).toBeVisible()
  await expect(page.getByText('Founder / C-level, Northbound Coffee')).toBeVisible()
  await expect(page.getByText('0 runs used. Resets at 00:00 UTC.')).toBeVisible()
  const usage = page.getByRole('region', { name: 'Usage' })
  await expect(usage.getByRole('meter', { name: 'Assets' })).toHaveAttribute('aria-valuetext', /^0 of /)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  expect((await download).suggestedFilename()).toBe('impasto-export.zip')
})

test('use cases list the categories of the user’s agents', { tag: '@thorough' }, async ({
  signedInPage: page,
  token,
  server,
}) => {
  await page.goto('/account/')
  await expect(page.getByRole('heading', { name: 'Your visual stack' })).toBeVisible()
  await expect(page.getByText('No use cases found')).toBeVisible()
  const created = await page.request.post(`${server.url}/api/v1/flows/`, {
    data: { name: 'Café Ads', category: 'ads' },
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(created.status()).toBe(201)
  await page.reload()
  await expect(page.getByText('1 agent', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Open Ads' }).click()
  await expect(page).toHaveURL(/\/flow\/?\?.*category=ads/)
})

test('an avatar is cropped, zoomed and saved; a file that is not an image is rejected', async ({
  signedInPage: page,
}) => {
  await page.goto('/account/')
  const file = page.locator('input[type=file]')
  await file.setInputFiles({
    name: 'broken.png',
    mimeType: 'image/png',
    buffer: Buffer.from('not an image'),
  })
  await expect(toast(page, 'Error updating avatar')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await file.setInputFiles(imageFile('portrait.png', 640, 480))
  const dialog = page.getByRole('dialog', { name: 'Your avatar' })
  const zoom = dialog.getByRole('slider', { name: 'Zoom' })
  await zoom.focus()
  await zoom.press('End')
  await expect(zoom).toHaveAttribute('aria-valuenow', '4')
  const sent = page.waitForRequest('**/api/v1/users/me/avatar')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect((await sent).method()).toBe('POST')
  await expect(toast(page, 'Avatar updated successfully')).toBeVisible()
  await expect(page.getByRole('main').locator('img').first()).toHaveJSProperty('naturalWidth', 512)
})

test('an avatar that the server rejects shows an error', { tag: '@thorough' }, async ({
  signedInPage: page,
}) => {
  await page.route('**/api/v1/users/me/avatar', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      json: { detail: 'Error updating avatar', code: 'invalid' },
    }),
  )
  await page.goto('/account/')
  await page.locator('input[type=file]').setInputFiles(imageFile('portrait.png', 64, 64))
  await page.getByRole('button', { name: 'Save' }).click()
  const failure = toast(page, 'Error updating avatar')
  await failure.getByRole('button', { name: 'Dismiss' }).click()
  await expect(failure).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'Your avatar' })).toBeVisible()
})

test('the theme is selected in the menu and persists', { tag: '@thorough' }, async ({
  signedInPage: page,
}) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto('/account/')
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitemradio', { name: 'System' }).click()
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expect(html).toHaveAttribute('data-theme', 'light')
})

test('deleting the account requires the password and ends it', async ({ signedInPage: page, user }) => {
  await page.goto('/account/')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel('Current password').fill(newUser().username)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Current password').fill(user.password)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page).toHaveURL(/\/login$/)
  const signIn = await page.request.post('/api/v1/identity/sign-in', {
    data: { username: user.username, password: user.password },
  })
  expect(signIn.status()).toBe(401)
})
