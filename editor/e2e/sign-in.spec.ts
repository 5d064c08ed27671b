import type { Page } from '@playwright/test'
import { expect, keepSession, type Person, register, somebody, test } from './fixtures'

async function signIn(page: Page, person: Person, name = person.email) {
  await page.getByLabel('Email').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const expire = (page: Page) =>
  page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('impasto.session') ?? '{}')
    localStorage.setItem('impasto.session', JSON.stringify({ ...kept, expires: Date.now() - 1 }))
  })

const openMenu = (page: Page) => page.getByRole('button', { name: 'Account menu' }).click()

test('a session is needed, and signing in leads back to where one was going', async ({
  page,
  server,
  person,
  token,
}) => {
  expect(token).toBeTruthy()
  await page.goto('/account/')
  await expect(page).toHaveURL(/\/login\?next=/)
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await signIn(page, person)
  await expect(page).toHaveURL(`${server.url}/account/`)
})

test('Home sends to /login, and /login sends the signed-in to Home', async ({
  page,
  server,
  person,
  token,
}) => {
  expect(token).toBeTruthy()
  await page.goto('/')
  await expect(page).toHaveURL(`${server.url}/login`)
  await signIn(page, person, person.username)
  await expect(page).toHaveURL(`${server.url}/`)
  await page.goto('/login')
  await expect(page).toHaveURL(`${server.url}/`)
  await page.goto('/signup')
  await expect(page).toHaveURL(`${server.url}/`)
})

test('a return path never leaves this site', async ({ page, server, person, token }) => {
  expect(token).toBeTruthy()
  await page.goto('/login?next=//elsewhere.example')
  await signIn(page, person)
  await expect(page).toHaveURL(`${server.url}/`)
})

test('a wrong password is told in the words of the catalog', async ({ page, person, token }) => {
  expect(token).toBeTruthy()
  await page.goto('/login')
  await signIn(page, { ...person, password: 'Wrong-brew 1' })
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid username or password.' })).toBeVisible()
  await signIn(page, { ...somebody(), password: 'Wrong-brew 1' })
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid username or password.' })).toBeVisible()
})

test('the rules of the form speak', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill('m')
  await page.getByLabel('Password', { exact: true }).fill('12345')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Username must be at least 2 characters.')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters.')).toBeVisible()
})

test('an address not yet confirmed is confirmed first', async ({ page, server, request }) => {
  const person = somebody()
  await request.post('/api/v1/identity/sign-up', { data: person })
  await page.goto('/login')
  await signIn(page, person)
  await expect(page).toHaveURL(/\/onboarding\/activate-account$/)
  await page.getByLabel('Confirmation code').click()
  await page.keyboard.type(await server.outbox.code(person.email, 2))
  await expect(page).toHaveURL(/\/onboarding\/company$/)
})

test('who was activated elsewhere is asked at the next sign-in, and only then', async ({
  page,
  server,
  request,
}) => {
  const person = somebody()
  await request.post('/api/v1/identity/sign-up', { data: person })
  const code = await server.outbox.code(person.email)
  await request.post('/api/v1/identity/confirm-sign-up', { data: { username: person.username, code } })
  await page.goto('/login')
  await signIn(page, person)
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

test('an expired token is renewed without anybody noticing', async ({ signedInPage: page, server }) => {
  await page.goto('/mark.svg')
  await expire(page)
  await page.goto('/account/')
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/account/`)
})

test('a refused token is renewed and the call made again', async ({ signedInPage: page }) => {
  let refused = false
  await page.route('**/api/v1/users/me', async (route) => {
    if (refused) return route.continue()
    refused = true
    return route.fulfill({ status: 401, json: { code: 'not_authenticated', detail: 'Sign in.' } })
  })
  await page.goto('/account/')
  await expect(page.getByText('Mara Lindqvist')).toBeVisible()
  expect(refused).toBe(true)
})

test('a dead session leads to /login, and from there back', async ({
  signedInPage: page,
  server,
  person,
  context,
}) => {
  await page.goto('/account/')
  await expect(page.getByText('Mara Lindqvist')).toBeVisible()
  await context.clearCookies()
  await expire(page)
  await page.reload()
  await expect(page).toHaveURL(/\/login\?next=/)
  await signIn(page, person)
  await expect(page).toHaveURL(`${server.url}/account/`)
})

test('signing out in one tab signs out the others', async ({ signedInPage: page, server, context }) => {
  await page.goto('/')
  const other = await context.newPage()
  await other.goto('/account/')
  await expect(other.getByText('Mara Lindqvist')).toBeVisible()
  await openMenu(page)
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(`${server.url}/login`)
  await expect(other).toHaveURL(/\/login/)
})

test('signing in in one tab lets the others in', async ({ page, server, context, browser, person }) => {
  await page.goto('/login')
  const elsewhere = await browser.newContext()
  const token = await register(server, context.request, person)
  await keepSession(server, context, token)
  await expect(page).toHaveURL(`${server.url}/`)
  await elsewhere.close()
})

test('an account with a temporary password gets its own first', async ({ page, server }) => {
  const person = somebody('ada')
  await server.admin('create-user', person.username, person.email, '--password', person.password)
  await page.goto('/login')
  await signIn(page, person)
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

test('a challenge that is gone says so', async ({ page }) => {
  await page.goto('/set-password')
  await expect(page.getByRole('alert')).toContainText('Failed to set definitive password.')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('back from an outside service, the session of the cookie is taken up', async ({
  page,
  server,
  token,
}) => {
  expect(token).toBeTruthy()
  await page.goto('/login?arrived=true&next=/account/')
  await expect(page).toHaveURL(`${server.url}/account/`)
  await expect(page.getByText('Mara Lindqvist')).toBeVisible()
})

test('an outside service is offered where there is one, and its failure told', async ({ page }) => {
  await page.route('**/api/v1/identity/providers', (route) =>
    route.fulfill({ json: [{ name: 'Northbound ID', start_url: '/api/v1/identity/outside/start' }] }),
  )
  await page.goto('/login?arrived=true&next=/account/')
  await expect(page.getByRole('alert').filter({ hasText: 'Sign-in failed.' })).toBeVisible()
  const link = page.getByRole('link', { name: 'Continue with Northbound ID' })
  await expect(link).toHaveAttribute(
    'href',
    `/api/v1/identity/outside/start?return_to=${encodeURIComponent('/login?arrived=true&next=%2Faccount%2F')}`,
  )
})
