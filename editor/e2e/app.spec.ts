import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, notice, test } from './fixtures'

test('an address that does not exist is told so', async ({ page, signedInPage }) => {
  await page.goto('/nowhere')
  await expect(page.getByRole('heading', { name: 'Not Found' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await expect(signedInPage.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('a page that breaks leaves a way on', async ({ signedInPage: page }) => {
  await page.route('**/api/v1/users/me', (route) =>
    route.fulfill({ status: 404, json: { detail: 'No data found' } }),
  )
  await page.goto('/account/')
  await expect(page.getByRole('heading', { name: 'Something went wrong!' })).toBeVisible()
  await page.unroute('**/api/v1/users/me')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible()
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

test('the page learns of a newer build from the server', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await page.route('**/build.json', (route) => route.fulfill({ json: { id: 'next' } }))
  const reloaded = page.waitForEvent('load')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await reloaded
})

test('nothing is asked of anybody else', async ({ page, server }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith('data:'))
      elsewhere.push(request.url())
  })
  await page.goto('/signup')
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  expect(elsewhere).toEqual([])
})

test('the page keeps its own rules for what may run in it', async ({ page }) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  const answer = await page.goto('/signup')
  expect(answer?.headers()['content-security-policy']).toContain("default-src 'self'")
  await page.getByRole('button', { name: 'Terms' }).click()
  await expect(page.getByRole('dialog', { name: 'Terms' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('the first page is light: scripts and styles under 250 kB', async ({ signedInPage: page }) => {
  // What comes of itself long after the page is there is no part of it, however late the page may be.
  await page.addInitScript(() => {
    const soon = window.setTimeout
    const timers = (act: TimerHandler, after = 0, ...more: unknown[]) =>
      after < 3000 ? soon(act, after, ...more) : 0
    Object.assign(window, { setTimeout: timers })
  })
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) {
      sizes.push(response.body().then((body) => gzipSync(body).length))
    }
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  expect(total).toBeGreaterThan(50_000)
  expect(total).toBeLessThan(250_000)
})

async function showNotice(page: Page, { still = false } = {}) {
  if (still) await page.clock.install()
  await page.goto('/forget-password')
  await page.getByLabel('Email').fill('nobody@northbound.example')
  await page.getByRole('button', { name: 'Send email' }).click()
  const again = page.getByRole('button', { name: 'Send again' })
  await expect(again).toBeVisible()
  // From here on no time passes but what the test lets pass.
  if (still) await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await again.click()
  const shown = notice(page, 'Email sent')
  const visible = async () => {
    if (still) await page.clock.runFor(100)
    return shown.isVisible()
  }
  await expect.poll(visible).toBe(true)
  return shown
}

test('a notice goes by itself after five seconds', async ({ page }) => {
  const shown = await showNotice(page, { still: true })
  await page.clock.runFor(4_500)
  await expect(shown).toBeVisible()
  await page.clock.runFor(1_000)
  await expect(shown).toBeHidden()
})

for (const [distance, stays] of [
  [40, true],
  [60, false],
] as const) {
  test(`a notice swiped ${distance} px to the right ${stays ? 'stays' : 'goes'}`, async ({ page }) => {
    const shown = await showNotice(page, { still: true })
    const box = await shown.boundingBox()
    if (!box) throw new Error('The notice has no place on the page.')
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

test('a second notice takes the place of the first', async ({ page }) => {
  await showNotice(page)
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(notice(page, 'Email sent')).toHaveCount(1)
})
