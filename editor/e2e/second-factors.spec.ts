import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessibleInBothThemes,
  keptTest,
  storeSession,
  test,
  toast,
  type User,
} from './fixtures'
import { addAuthenticator } from './fixtures/authenticator'
import { totpCode } from './fixtures/totp'

async function signIn(page: Page, user: User): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(user.username)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/account/')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
}

keptTest(
  'an authenticator app is set up, asked for at sign-in, and removed',
  async ({ signedInPage: page, user }) => {
    await page.goto('/account/')
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('dialog').getByLabel('Current password').fill(user.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    const dialog = page.getByRole('dialog', { name: 'Authenticator app' })
    await expect(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
    const secret = await dialog.getByLabel('Key').inputValue()
    await dialog.getByLabel('Code from the app').fill(totpCode(secret))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    await expect(codes.getByRole('listitem')).toHaveCount(10)
    const recovery = await codes.getByRole('listitem').first().innerText()
    const download = page.waitForEvent('download')
    await codes.getByRole('button', { name: 'Download codes' }).click()
    expect((await download).suggestedFilename()).toBe('impasto-recovery-codes.txt')
    await codes.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText('10 codes left')).toBeVisible()

    await signOut(page)
    await signIn(page, user)
    await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
    await expectAccessibleInBothThemes(page)
    await page.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert').getByText('Verification failed')).toBeVisible()
    await page.getByLabel('Code').fill(totpCode(secret, 1))
    await page.keyboard.press('Enter')
    await expect(page).not.toHaveURL(/\/login/)

    await signOut(page)
    await signIn(page, user)
    await page.getByLabel('Code').fill(recovery)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).not.toHaveURL(/\/login/)
    await page.goto('/account/')
    await expect(page.getByText('9 codes left')).toBeVisible()
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    await page.getByRole('dialog').getByLabel('Current password').fill(user.password)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('Not set up')).toBeVisible()
  },
)

keptTest(
  'a passkey is added, renamed, signs in and is a second factor',
  async ({ signedInPage: page, user }) => {
    const authenticator = await addAuthenticator(page)
    await page.goto('/account/')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
    await page.getByRole('dialog').getByLabel('Current password').fill(user.password)
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
    await codes.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Rename Work laptop' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Phone')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { name: 'Phone' })).toBeVisible()

    await signOut(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page).not.toHaveURL(/\/login/)

    await signOut(page)
    await signIn(page, user)
    // The sign-in form offers passkeys, too.
    await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page).not.toHaveURL(/\/login/)
    await authenticator.detach()
  },
)

keptTest('sessions are listed and ended', async ({ signedInPage: page, server, user, browser }) => {
  const other = await browser.newContext()
  const answer = await other.request.post(`${server.url}/api/v1/identity/sign-in`, {
    data: { username: user.username, password: user.password },
  })
  await storeSession(server, other, (await answer.json()).session.identity_token)
  await page.goto('/account/')
  await expect(page.getByText('This session')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out all others' }).click()
  await expect(toast(page, 'All other sessions are signed out.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign out all others' })).toBeHidden()
  const refused = await other.request.post(`${server.url}/api/v1/identity/refresh`)
  expect(refused.status()).toBe(401)
  await other.close()
})

test('a reset asks for the second factor', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  user,
  token,
}) => {
  const headers = { Authorization: `Bearer ${token}` }
  const identity = `${server.url}/api/v1/identity`
  const setUp = await page.request.post(`${identity}/totp`, { data: { password: user.password }, headers })
  const { secret } = await setUp.json()
  await page.request.post(`${identity}/totp/confirm`, { data: { code: totpCode(secret) }, headers })
  await signOut(page)
  await page.goto('/forget-password')
  await page.getByLabel('Email').fill(user.username)
  await page.getByRole('button', { name: 'Send email' }).click()
  await page.getByLabel('Confirmation code').fill(await server.outbox.code(user.email, 2))
  await page.getByLabel('New password').fill('Hot-brew 22')
  await page.getByLabel('Confirm password').fill('Hot-brew 22')
  await page.getByRole('button', { name: 'Reset password' }).click()
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret, 1))
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page).toHaveURL(/\/login/)
  await signIn(page, { ...user, password: 'Hot-brew 22' })
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
})
