import type { Page } from '@playwright/test'
import { expect, newUser, register, storeSession, keptTest as test, type User } from './fixtures'

async function signIn(page: Page, user: User, name = user.email) {
  await page.getByLabel('Email').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const expireToken = (page: Page) =>
  page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('impasto.session') ?? '{}')
    localStorage.setItem('impasto.session', JSON.stringify({ ...session, expires: Date.now() - 1 }))
  })

const openMenu = (page: Page) => page.getByRole('button', { name: 'Account menu' }).click()

test('a protected page requires sign-in, which returns to that page', async ({
  page,
  server,
  user,
  token,
}) => {
  expect(token).toBeTruthy()
  await page.goto('/account/')
  await expect(page).toHaveURL(/\/login\?next=/)
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await signIn(page, user)
  await expect(page).toHaveURL(`${server.url}/account/`)
})

test('Home redirects to /login, and /login redirects signed-in users to Home', { tag: '@thorough' }, async ({
  page,
  server,
  user,
  token,
}) => {
  expect(token).toBeTruthy()
  await page.goto('/')
  await expect(page).toHaveURL(`${server.url}/login`)
  await signIn(page, user, user.username)
  await expect(page).toHaveURL(`${server.url}/`)
  await page.goto('/login')
  await expect(page).toHaveURL(`${server.url}/`)
  await page.goto('/signup')
  await expect(page).toHaveURL(`${server.url}/`)
})

test('a wrong password and an unknown user show the same error, and the right password works', async ({
  page,
  server,
  user,
  token,
}) => {
  expect(token).toBeTruthy()
  await page.goto('/login')
  await signIn(page, { ...user, password: 'Wrong-brew 1' })
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid username or password.' })).toBeVisible()
  await signIn(page, { ...newUser(), password: 'Wrong-brew 1' })
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid username or password.' })).toBeVisible()
  await signIn(page, user, user.username)
  await expect(page).toHaveURL(`${server.url}/`)
})

test('an unconfirmed address is confirmed before sign-in', async ({ page, server, request }) => {
  const user = newUser()
  await request.post('/api/v1/identity/sign-up', { data: user })
  await page.goto('/login')
  await signIn(page, user)
  await expect(page).toHaveURL(/\/onboarding\/activate-account$/)
  await page.getByLabel('Confirmation code').click()
  await page.keyboard.type(await server.outbox.code(user.email, 2))
  await expect(page).toHaveURL(/\/onboarding\/company$/)
})

test('onboarding follows the first sign-in if the account was activated elsewhere', {
  tag: '@thorough',
}, async ({ page, server, request }) => {
  const user = newUser()
  await request.post('/api/v1/identity/sign-up', { data: user })
  const code = await server.outbox.code(user.email)
  await request.post('/api/v1/identity/confirm-sign-up', { data: { username: user.username, code } })
  await page.goto('/login')
  await signIn(page, user)
  await expect(page).toHaveURL(/\/onboarding\/company/)
  await expect(page.getByRole('progressbar', { name: 'Your progress' })).toHaveAttribute('aria-valuemax', '2')
  await page.getByLabel('First name').fill('Otto')
  await page.getByLabel('Last name').fill('Berg')
  await page.getByLabel('Company').fill('Berg & Co')
  await page.getByLabel('Which best describes you?').click()
  await page.getByRole('option', { name: 'Freelancer' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Other').check()
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page).toHaveURL(`${server.url}/`)
})

test('an expired token is renewed silently', async ({ signedInPage: page, server }) => {
  await page.goto('/mark.svg')
  await expireToken(page)
  await page.goto('/account/')
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/account/`)
})

test('an ended session redirects to /login, which returns to the page', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  user,
  context,
}) => {
  await page.goto('/account/')
  await expect(page.getByText('Mara Lindqvist')).toBeVisible()
  await context.clearCookies()
  await expireToken(page)
  await page.reload()
  await expect(page).toHaveURL(/\/login\?next=/)
  await signIn(page, user)
  await expect(page).toHaveURL(`${server.url}/account/`)
})

test('signing out in one tab signs out the others', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  context,
}) => {
  await page.goto('/')
  const other = await context.newPage()
  await other.goto('/account/')
  await expect(other.getByText('Mara Lindqvist')).toBeVisible()
  await openMenu(page)
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(`${server.url}/login`)
  await expect(other).toHaveURL(/\/login/)
})

test('signing in in one tab signs in the others', { tag: '@thorough' }, async ({
  page,
  server,
  context,
  user,
}) => {
  await page.goto('/login')
  const token = await register(server, context.request, user)
  await storeSession(server, context, token)
  await expect(page).toHaveURL(`${server.url}/`)
})

test('an account with a temporary password must set its own', { tag: '@thorough' }, async ({
  page,
  server,
}) => {
  const user = newUser('ada')
  await server.admin('create-user', user.username, user.email, '--password', user.password)
  await page.goto('/login')
  await signIn(page, user)
  await expect(page).toHaveURL(/\/set-password$/)
  const submit = page.getByRole('button', { name: 'Set password' })
  await page.getByLabel('New password').fill('Warm-brew 2')
  await page.getByLabel('Confirm password').fill('Warm-brew 3')
  await submit.click()
  await expect(page.getByText('Passwords do not match.')).toBeVisible()
  await page.reload()
  await page.getByLabel('New password').fill('Warm-brew 2')
  await page.getByLabel('Confirm password').fill('Warm-brew 2')
  await submit.click()
  await expect(page).toHaveURL(/\/onboarding\/company/)
})

test('after a sign-in with OpenID Connect, the session cookie is used', async ({ page, server, token }) => {
  expect(token).toBeTruthy()
  await page.goto('/login?arrived=true&next=/account/')
  await expect(page).toHaveURL(`${server.url}/account/`)
  await expect(page.getByText('Mara Lindqvist')).toBeVisible()
})

test('a configured OpenID Connect provider is offered, and its failure shown', { tag: '@thorough' }, async ({
  page,
}) => {
  await page.route('**/api/v1/identity/providers', (route) =>
    route.fulfill({ json: [{ name: 'Northbound ID', start_url: '/api/v1/identity/oidc/start' }] }),
  )
  await page.goto('/login?arrived=true&next=/account/')
  await expect(page.getByRole('alert').filter({ hasText: 'Sign-in failed.' })).toBeVisible()
  const link = page.getByRole('link', { name: 'Continue with Northbound ID' })
  await expect(link).toHaveAttribute(
    'href',
    `/api/v1/identity/oidc/start?return_to=${encodeURIComponent('/login?arrived=true&next=%2Faccount%2F')}`,
  )
})
