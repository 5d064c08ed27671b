import type { Page } from '@playwright/test'
import { expect, test as freshTest, newUser, keptTest as test, toast, type User } from './fixtures'

async function fillSignUp(page: Page, user: User, url = '') {
  await page.goto(`${url}/signup`)
  await page.getByLabel('Username').fill(user.username)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByLabel('Confirm password').fill(user.password)
  await page.getByRole('button', { name: 'Sign up' }).click()
}

async function fillCompany(page: Page) {
  await expect(page).toHaveURL(/\/onboarding\/company$/)
  await page.getByLabel('First name').fill('Mara')
  await page.getByLabel('Last name').fill('Lindqvist')
  await page.getByLabel('Company').fill('Northbound Coffee')
  await page.getByLabel('Which best describes you?').click()
  await page.getByRole('option', { name: 'Brand designer' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function fillWhy(page: Page) {
  await expect(page).toHaveURL(/\/onboarding\/why$/)
  await page.getByLabel('Save time').check()
  await page.getByLabel('Improve quality').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/onboarding\/activate-account$/)
}

async function reachActivation(page: Page, user: User) {
  await fillSignUp(page, user)
  await fillCompany(page)
  await fillWhy(page)
}

const enterCode = async (page: Page, code: string) => {
  await page.getByLabel('Confirmation code').click()
  await page.keyboard.type(code)
}

test('sign-up leads through company, why and the emailed code, which may be mistyped, to Home', async ({
  page,
  server,
}) => {
  const user = newUser()
  await reachActivation(page, user)
  await expect(page.getByText('We sent a 6-digit code to')).toBeVisible()
  const code = await server.outbox.code(user.email)
  await enterCode(page, code === '000000' ? '000001' : '000000')
  const failure = page.getByRole('alert')
  await expect(failure).toContainText('Verification failed')
  await expect(failure).toContainText('The confirmation code is invalid or has expired. Please try again.')
  await expect(page.getByLabel('Confirmation code')).toHaveValue('')
  await enterCode(page, code)
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const me = await page.request.get('/api/v1/users/me', { headers: await bearer(page) })
  expect(await me.json()).toMatchObject({
    username: user.username,
    info: {
      first_name: 'Mara',
      last_name: 'Lindqvist',
      company: 'Northbound Coffee',
      role: 'brand_designer',
      reasons: ['save_time', 'improve_quality'],
    },
  })
  await page.goBack()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/`)
})

test('the code can be pasted', { tag: '@thorough' }, async ({ page, server, context }) => {
  const user = newUser()
  await reachActivation(page, user)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const code = await server.outbox.code(user.email)
  await page.evaluate((text) => navigator.clipboard.writeText(`Your code is ${text}`), code)
  await page.getByLabel('Confirmation code').click()
  await page.keyboard.press('Control+V')
  await expect(page).toHaveURL(`${server.url}/`)
})

freshTest('the code can be sent again after 30 seconds', { tag: '@thorough' }, async ({ page, server }) => {
  const user = newUser()
  // A fixed clock, so that the wait does not elapse while the test fills in the forms.
  const now = Date.now()
  await page.clock.setFixedTime(now)
  await reachActivation(page, user)
  await expect(page.getByText('Did not receive it? Check your spam inbox.')).toBeVisible()
  const first = await server.outbox.code(user.email)
  await expect(page.getByRole('button', { name: /^Send again in 0:\d\d$/ })).toBeDisabled()
  await page.clock.setFixedTime(now + 31_000)
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(toast(page, 'A new code is on its way.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send again in 0:\d\d$/ })).toBeDisabled()
  const second = await server.outbox.code(user.email, 2)
  if (first !== second) {
    await enterCode(page, first)
    await expect(page.getByRole('alert')).toContainText('Verification failed')
  }
  await enterCode(page, second)
  await expect(page).toHaveURL(`${server.url}/`)
})

test('a wrong email address can be corrected', { tag: '@thorough' }, async ({ page, server }) => {
  const mistyped = newUser()
  const corrected = { ...mistyped, email: `right-${mistyped.email}` }
  await reachActivation(page, mistyped)
  await page.getByRole('link', { name: 'Wrong email?' }).click()
  await expect(page).toHaveURL(/\/signup$/)
  await expect(page.getByLabel('Username')).toHaveValue(mistyped.username)
  await fillSignUp(page, corrected)
  await expect(page.getByLabel('First name')).toHaveValue('Mara')
  await page.getByRole('button', { name: 'Continue' }).click()
  await fillWhy(page)
  await enterCode(page, await server.outbox.code(corrected.email))
  await expect(page).toHaveURL(`${server.url}/`)
})

test('onboarding answers survive a reload', { tag: '@thorough' }, async ({ page }) => {
  await fillSignUp(page, newUser())
  await expect(page).toHaveURL(/\/onboarding\/company$/)
  await page.getByLabel('First name').fill('Mara')
  await page.reload()
  await expect(page.getByLabel('First name')).toHaveValue('Mara')
  await fillCompany(page)
  await page.getByLabel('Reduce costs').check()
  await page.reload()
  await expect(page.getByLabel('Reduce costs')).toBeChecked()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/onboarding\/activate-account$/)
  await page.reload()
  await expect(page.getByText('We sent a 6-digit code to')).toBeVisible()
})

test('the onboarding steps require answers', { tag: '@thorough' }, async ({ page }) => {
  await page.goto('/onboarding/')
  await expect(page).toHaveURL(/\/onboarding\/company$/)
  await page.getByRole('button', { name: 'Continue' }).click()
  for (const message of [
    'Enter your first name.',
    'Enter your last name.',
    'Enter your company.',
    'Choose the option that describes you best.',
  ]) {
    await expect(page.getByText(message)).toBeVisible()
  }
  await page.goto('/onboarding/why')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Pick at least one.')).toBeVisible()
})

test('the password checklist updates while typing', { tag: '@thorough' }, async ({ page }) => {
  await page.goto('/signup')
  const met = page.getByRole('list', { name: 'Your password needs' }).locator('[data-met=true]')
  await expect(met).toHaveCount(0)
  await page.getByLabel('Password', { exact: true }).pressSequentially('Ab1!')
  await expect(met).toHaveCount(4)
  await page.getByLabel('Password', { exact: true }).pressSequentially('cdef')
  await expect(met).toHaveCount(5)
})

test('an existing user is asked to sign in', async ({ page, user, token }) => {
  expect(token).toBeTruthy()
  await fillSignUp(page, { ...newUser(), email: user.email })
  await expect(
    page.getByRole('alert').filter({ hasText: 'User already exists. Please sign in.' }),
  ).toBeVisible()
})

test('terms and privacy policy open over the form', { tag: '@thorough' }, async ({ page }) => {
  await page.goto('/signup')
  await page.getByLabel('Username').fill('mara')
  await page.getByRole('button', { name: 'Privacy policy' }).click()
  await expect(page.getByRole('dialog', { name: 'Privacy policy' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Username')).toHaveValue('mara')
})

async function bearer(page: Page) {
  const session = await page.evaluate(() => localStorage.getItem('impasto.session'))
  return { Authorization: `Bearer ${JSON.parse(session ?? '{}').token}` }
}
