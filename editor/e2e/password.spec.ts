import { expect, notice, test } from './fixtures'

const next = 'Warm-brew 2'

test('a forgotten password is replaced with the code from the mail', async ({
  page,
  server,
  person,
  token,
}) => {
  expect(token).toBeTruthy()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByText('We will send you an email to reset your password')).toBeVisible()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Send email' }).click()
  const step = page.getByRole('heading', { name: 'Reset your password' })
  await expect(step).toBeVisible()
  await page.reload()
  await expect(step).toBeVisible()
  const code = await server.outbox.code(person.email, 2)
  const enter = async (digits: string) => {
    await page.getByLabel('Confirmation code').focus()
    for (let box = 0; box < 6; box += 1) await page.keyboard.press('Backspace')
    await page.keyboard.type(digits)
  }
  await enter(code.slice(0, 3))
  await page.getByLabel('New password').fill(next)
  await page.getByLabel('Confirm password').fill(next)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByText('Confirmation code must be 6 characters long.')).toBeVisible()
  await enter(code === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to confirm reset password.' })).toBeVisible()
  await enter(code)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(next)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
})

test('an unknown address is answered like a known one', async ({ page }) => {
  await page.goto('/forget-password')
  await page.getByLabel('Email').fill('nobody@northbound.example')
  await page.getByRole('button', { name: 'Send email' }).click()
  await expect(page.getByText('we sent it a 6-digit code')).toBeVisible()
})

test('changing the password ends the other sessions', async ({
  signedInPage: page,
  server,
  person,
  browser,
}) => {
  const elsewhere = await browser.newContext({ baseURL: server.url })
  const signedIn = await elsewhere.request.post('/api/v1/identity/sign-in', {
    data: { username: person.username, password: person.password },
  })
  expect(signedIn.status()).toBe(200)
  await page.goto('/account/')
  await page.getByLabel('Current password').fill('Wrong-brew 1')
  await page.getByLabel('New password').fill(next)
  await page.getByLabel('Confirm').fill('other')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Passwords do not match.')).toBeVisible()
  await page.getByLabel('Confirm').fill(next)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to change password.' })).toBeVisible()
  await page.getByLabel('Current password').fill(person.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(notice(page, 'Password changed. Other sessions are signed out.')).toBeVisible()
  expect((await elsewhere.request.post('/api/v1/identity/refresh')).status()).toBe(401)
  await elsewhere.close()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()
})
