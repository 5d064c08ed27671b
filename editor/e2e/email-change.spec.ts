import { expect, keptTest as test, toast } from './fixtures'

test('the email address is changed with the password and a code', async ({
  signedInPage: page,
  server,
  user,
}) => {
  const address = `new.${user.email}`
  await page.goto('/account/')
  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByLabel('New email').fill(user.email)
  await dialog.getByLabel('Current password').fill('Wrong-brew 1')
  await dialog.getByRole('button', { name: 'Send code' }).click()
  await expect(dialog.getByText('This is not your password.')).toBeVisible()
  await dialog.getByLabel('Current password').fill(user.password)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This is your email address already.')).toBeVisible()
  await expect(dialog.getByLabel('New email')).toBeFocused()

  await dialog.getByLabel('New email').fill(address)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(`Enter the 6-digit code that we sent to ${address}.`)).toBeVisible()
  const code = await server.outbox.code(address)
  await expect(dialog.getByLabel('Confirmation code')).toBeFocused()
  await page.keyboard.type(code === '000000' ? '000001' : '000000')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByText('The confirmation code is invalid or has expired.')).toBeVisible()
  await dialog.getByLabel('Confirmation code').focus()
  for (let box = 0; box < 6; box += 1) await page.keyboard.press('Backspace')
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Email address changed.')).toBeVisible()
  await expect(page.getByText(address).first()).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
