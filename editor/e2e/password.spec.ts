import { expect, keptTest as test, toast } from './fixtures'

const newPassword = 'Warm-brew 2'

test('a forgotten password is reset with the emailed code', async ({ page, server, user, token }) => {
  expect(token).toBeTruthy()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByText('We will send you an email to reset your password')).toBeVisible()
  await page.getByLabel('Email').fill(user.email)
  await page.getByRole('button', { name: 'Send email' }).click()
  const heading = page.getByRole('heading', { name: 'Reset your password' })
  await expect(heading).toBeVisible()
  await page.reload()
  await expect(heading).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.goForward()
  await expect(heading).toBeVisible()
  const code = await server.outbox.code(user.email, 2)
  const enterCode = async (digits: string) => {
    await page.getByLabel('Confirmation code').focus()
    for (let box = 0; box < 6; box += 1) await page.keyboard.press('Backspace')
    await page.keyboard.type(digits)
  }
  await enterCode(code.slice(0, 3))
  await page.getByLabel('New password').fill(newPassword)
  await page.getByLabel('Confirm password').fill(newPassword)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByText('Confirmation code must be 6 characters long.')).toBeVisible()
  await enterCode(code === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to confirm reset password.' })).toBeVisible()
  await enterCode(code)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
})

test('changing the password ends the other sessions', async ({
  signedInPage: page,
  server,
  user,
  browser,
}) => {
  const otherContext = await browser.newContext({ baseURL: server.url })
  const signedIn = await otherContext.request.post('/api/v1/identity/sign-in', {
    data: { username: user.username, password: user.password },
  })
  expect(signedIn.status()).toBe(200)
  await page.goto('/account/')
  await page.getByLabel('Current password').fill('Wrong-brew 1')
  await page.getByLabel('New password').fill(newPassword)
  await page.getByLabel('Confirm').fill('other')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Passwords do not match.')).toBeVisible()
  await page.getByLabel('Confirm').fill(newPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to change password.' })).toBeVisible()
  await page.getByLabel('Current password').fill(user.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(toast(page, 'Password changed. Other sessions are signed out.')).toBeVisible()
  expect((await otherContext.request.post('/api/v1/identity/refresh')).status()).toBe(401)
  await otherContext.close()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
})
