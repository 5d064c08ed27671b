import { gzipSync } from 'node:zlib'
import type { Page, Response } from '@playwright/test'
import { expect, test, toast } from './fixtures'
import { expectAccessible } from './fixtures/axe'
import { intercept } from './fixtures/interception'

test('an unknown address shows Not Found, with the navigation for those who are signed in', async ({
  page,
  server,
  browser,
  signedInPage,
}) => {
  for (const address of ['/nowhere', '/flow/nowhere']) {
    await signedInPage.goto(address)
    await expect(signedInPage.getByRole('heading', { name: 'Not Found' })).toBeVisible()
    await expect(signedInPage.getByRole('main')).toHaveCount(1)
    await expectAccessible(signedInPage)
    const navigation = signedInPage.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'Library' }).click()
    await expect(page).toHaveURL('/library')
  }
  const signedOut = await browser.newPage({ baseURL: server.url })
  await signedOut.goto('/nowhere')
  await expect(signedOut.getByRole('heading', { name: 'Not Found' })).toBeVisible()
  await signedOut.getByRole('link', { name: 'Go to Home' }).click()
  await expect(signedOut).toHaveURL('/login')
  await signedOut.close()
})

test('a run and a brand that do not exist have a page that says so and leads to the others', async ({
  signedInPage: page,
}) => {
  const missing = [
    { path: '/run/nowhere', title: 'Run not found', link: 'All runs', others: '/runs' },
    { path: '/brands/nowhere', title: 'Brand not found', link: 'All brands', others: '/brands' },
    { path: '/brands/nowhere/impact', title: 'Brand not found', link: 'All brands', others: '/brands' },
  ]
  for (const { path, title, link, others } of missing) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: link }).click()
    await expect(page).toHaveURL(others)
  }
})

test('a page that fails to load can be reloaded', async ({ signedInPage: page }) => {
  await page.route('**/api/v1/users/me', (route) =>
    route.fulfill({ status: 404, json: { detail: 'No data found' } }),
  )
  await page.goto('/account/')
  await expect(page.getByRole('heading', { name: 'Something went wrong!' })).toBeVisible()
  await page.unroute('**/api/v1/users/me')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
})

test('a newer build reloads the page once', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  const announce = () =>
    page.evaluate(() => window.dispatchEvent(new CustomEvent('impasto:build-update', { detail: 'next' })))
  await Promise.all([page.waitForEvent('load'), announce()])
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await announce()
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  expect(loads).toBe(1)
})

test('the page detects a newer build on the server', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await intercept(page, '**/build.json', (route) => route.fulfill({ json: { id: 'next' } }))
  const reloaded = page.waitForEvent('load')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await reloaded
})

test('pages send no third-party requests', async ({ page, server }) => {
  const thirdParty: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:'))
      thirdParty.push(request.url())
  })
  await page.goto('/signup')
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  expect(thirdParty).toEqual([])
})

test('pages cause no Content-Security-Policy violations', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  const response = await page.goto('/signup')
  expect(response?.headers()['content-security-policy']).toContain("default-src 'self'")
  await page.getByRole('button', { name: 'Terms' }).click()
  await expect(page.getByRole('dialog', { name: 'Terms' })).toBeVisible()
  expect(errors).toEqual([])
})

test('the first page loads less than 287 kB of scripts and styles', async ({ signedInPage: page }) => {
  // Code that is loaded on a timer of three seconds or more is not part of the first load.
  await page.addInitScript(() => {
    const setTimeout = window.setTimeout
    const shortTimers = (handler: TimerHandler, delay = 0, ...args: unknown[]) =>
      delay < 3000 ? setTimeout(handler, delay, ...args) : 0
    Object.assign(window, { setTimeout: shortTimers })
  })
  const responses: Response[] = []
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) responses.push(response)
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  // The body of a response that comes later would be asked of a closed page.
  const bodies = await Promise.all(responses.map((response) => response.body()))
  const total = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
  expect(total).toBeGreaterThan(50_000)
  expect(total).toBeLessThan(287_000)
})

async function showToast(page: Page, { fakeClock = false } = {}) {
  if (fakeClock) await page.clock.install()
  await page.goto('/forget-password')
  await page.getByLabel('Email').fill('unknown@northbound.example')
  await page.getByRole('button', { name: 'Send email' }).click()
  const resend = page.getByRole('button', { name: 'Send again' })
  await expect(resend).toBeVisible()
  // From here on the test advances the clock.
  if (fakeClock) await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await resend.click()
  const shown = toast(page, 'Email sent')
  const visible = async () => {
    if (fakeClock) await page.clock.runFor(100)
    return shown.isVisible()
  }
  await expect.poll(visible).toBe(true)
  return shown
}

test('a toast closes after five seconds', async ({ page }) => {
  const shown = await showToast(page, { fakeClock: true })
  await page.clock.runFor(4_500)
  await expect(shown).toBeVisible()
  await page.clock.runFor(1_000)
  await expect(shown).toBeHidden()
})

for (const [distance, stays] of [
  [40, true],
  [60, false],
] as const) {
  test(`a toast swiped ${distance} px to the right ${stays ? 'stays' : 'closes'}`, async ({ page }) => {
    const shown = await showToast(page, { fakeClock: true })
    const box = await shown.boundingBox()
    if (!box) throw new Error('The toast has no bounding box.')
    const [x, y] = [box.x + 40, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + distance / 2, y, { steps: 4 })
    await page.mouse.move(x + distance, y, { steps: 4 })
    await page.mouse.up()
    if (stays) await expect(shown).toBeVisible()
    else await expect(shown).toBeHidden()
  })
}

test('a second toast replaces the first', async ({ page }) => {
  await showToast(page)
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(toast(page, 'Email sent')).toHaveCount(1)
})
