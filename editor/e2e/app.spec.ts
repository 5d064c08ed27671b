import { gzipSync } from 'node:zlib'
import type { Response } from '@playwright/test'
import { expect, test as newPageTest, keptTest as test, toast } from './fixtures'
import { expectAccessible } from './fixtures/axe'
import { intercept } from './fixtures/interception'

test('addresses of nothing have a page that says so, with the navigation', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  browser,
}) => {
  for (const address of ['/nowhere', '/flow/nowhere']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { name: 'Not Found' })).toBeVisible()
    await expect(page.getByRole('main')).toHaveCount(1)
    await expect(
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Library' }),
    ).toBeVisible()
  }
  await expectAccessible(page)
  const missing = [
    { path: '/run/nowhere', title: 'Run not found', link: 'All runs', others: '/runs' },
    { path: '/brands/nowhere', title: 'Brand not found', link: 'All brands', others: '/brands' },
    { path: '/brands/nowhere/impact', title: 'Brand not found', link: 'All brands', others: '/brands' },
  ]
  for (const { path, title, link, others } of missing) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await expectAccessible(page, false, 'main')
    await page.getByRole('link', { name: link }).click()
    await expect(page).toHaveURL(others)
  }
  const signedOut = await browser.newPage({ baseURL: server.url })
  await signedOut.goto('/nowhere')
  await expect(signedOut.getByRole('heading', { name: 'Not Found' })).toBeVisible()
  await signedOut.getByRole('link', { name: 'Go to Home' }).click()
  await expect(signedOut).toHaveURL('/login')
  await signedOut.close()
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

newPageTest('the page detects a newer build on the server, and reloads once', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await intercept(page, '**/build.json', (route) => route.fulfill({ json: { id: 'next' } }))
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  const reloaded = page.waitForEvent('load')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await reloaded
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('impasto:build-update', { detail: 'next' })))
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  expect(loads).toBe(1)
})

newPageTest(
  'pages send no third-party requests, and nothing violates the Content-Security-Policy',
  async ({ page, server }) => {
    const thirdParty: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith('data:'))
        thirdParty.push(request.url())
    })
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    const response = await page.goto('/signup')
    expect(response?.headers()['content-security-policy']).toContain("default-src 'self'")
    await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
    await page.getByRole('button', { name: 'Terms' }).click()
    await expect(page.getByRole('dialog', { name: 'Terms' })).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    expect(thirdParty).toEqual([])
    expect(errors).toEqual([])
  },
)

newPageTest(
  'the first page loads less than 289 kB of scripts and styles',
  { tag: '@thorough' },
  async ({ signedInPage: page }) => {
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
    expect(total).toBeLessThan(289_000)
  },
)

newPageTest(
  'a toast is replaced by the next, closes when swiped far enough, and after five seconds',
  { tag: '@thorough' },
  async ({ page }) => {
    await page.clock.install()
    await page.goto('/forget-password')
    await page.getByLabel('Email').fill('unknown@northbound.example')
    await page.getByRole('button', { name: 'Send email' }).click()
    const resend = page.getByRole('button', { name: 'Send again' })
    await expect(resend).toBeVisible()
    // From here on the test advances the clock.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
    const shown = toast(page, 'Email sent')
    const show = async () => {
      const former = await shown.elementHandles()
      await resend.click()
      const isNew = async () => {
        await page.clock.runFor(100)
        const isLeft = await Promise.all(former.map((one) => one.evaluate((element) => element.isConnected)))
        return !isLeft.includes(true) && (await shown.isVisible())
      }
      await expect.poll(isNew).toBe(true)
    }
    const swipe = async (distance: number) => {
      const box = await shown.boundingBox()
      if (!box) throw new Error('The toast has no bounding box.')
      const [x, y] = [box.x + 40, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + distance / 2, y, { steps: 4 })
      await page.mouse.move(x + distance, y, { steps: 4 })
      await page.mouse.up()
    }
    await show()
    await show()
    await expect(shown).toHaveCount(1)
    await swipe(40)
    await expect(shown).toBeVisible()
    await swipe(60)
    await expect(shown).toBeHidden()

    await page.mouse.move(0, 0)
    await show()
    await page.clock.runFor(4_500)
    await expect(shown).toBeVisible()
    await page.clock.runFor(1_000)
    await expect(shown).toBeHidden()
  },
)
