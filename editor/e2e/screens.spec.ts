import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { type Screen, shoot } from './fixtures/screens'

const heading = (name: string) => (page: Page) =>
  expect(page.getByRole('heading', { name }).first()).toBeVisible()

const pending = {
  username: 'mara',
  email: 'm@n.example',
  destination: 'm•••@n•••.coffee',
  sentAt: Date.now(),
}

const anonymous: Screen[] = [
  { name: 'login', path: '/login', ready: heading('Sign In') },
  {
    name: 'signup',
    path: '/signup',
    ready: async (page) => {
      await page.getByLabel('Username').fill('mara')
      await page.getByLabel('Email').fill('mara@northbound')
      await page.getByRole('button', { name: 'Sign up' }).click()
      await page.getByLabel('Password', { exact: true }).fill('Abcdefgh')
    },
  },
  { name: 'forget-password', path: '/forget-password', ready: heading('Forgot your password?') },
  { name: 'onboarding-company', path: '/onboarding/company', ready: heading('Tell us about you') },
  {
    name: 'onboarding-why',
    path: '/onboarding/why',
    ready: async (page) => {
      await page.getByLabel('Improve design').check()
      await page.getByLabel('Save time').check()
    },
  },
  {
    name: 'onboarding-activate-account',
    path: '/onboarding/activate-account',
    ready: async (page) => {
      await page.evaluate(
        (stored) => localStorage.setItem('impasto.pending-account', stored),
        JSON.stringify(pending),
      )
      await page.reload()
      await page.getByLabel('Confirmation code').click()
      await page.keyboard.type('407')
    },
  },
  { name: 'not-found', path: '/nowhere', ready: heading('Not Found') },
]

const signedIn: Screen[] = [
  { name: 'home', path: '/', ready: heading('What do you need today') },
  { name: 'agents', path: '/flow/', ready: heading('Agents') },
  { name: 'library', path: '/library', ready: heading('Library') },
  { name: 'runs', path: '/runs', ready: heading('Runs') },
  { name: 'brands', path: '/brands', ready: heading('Brands') },
  { name: 'connections', path: '/account/connections', ready: heading('Connections') },
  { name: 'account', path: '/account/', ready: heading('Your visual stack') },
]

test('screens before sign-in', async ({ page }) => {
  test.setTimeout(180_000)
  for (const screen of anonymous) await shoot(page, screen)
})

test('screens after sign-in', async ({ signedInPage: page }) => {
  test.setTimeout(180_000)
  for (const screen of signedIn) await shoot(page, screen)
})

const dialog = (name: string) => (page: Page) => expect(page.getByRole('dialog', { name })).toBeVisible()

const launching: Screen[] = [
  {
    name: 'agents-product',
    path: '/flow/?tab=product',
    ready: (page) => expect(page.getByRole('link', { name: 'Product Launch Kit' })).toBeVisible(),
  },
  {
    name: 'agent-create',
    path: '/flow/',
    ready: async (page) => {
      await page.getByRole('button', { name: 'Create a new flow' }).first().click()
      await dialog('Create a new flow')(page)
    },
  },
  {
    name: 'customize',
    path: '/',
    ready: async (page) => {
      await page.getByRole('radio', { name: 'Product Launch Kit' }).click()
      await page.getByRole('button', { name: 'Customize' }).click()
      await expect(page.getByRole('region', { name: 'Customize' })).toBeVisible()
    },
  },
]

test('screens of a launch and its results', async ({ signedInPage: page }) => {
  test.setTimeout(420_000)
  for (const screen of launching) await shoot(page, screen)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/')
  await page.getByRole('radio', { name: 'Product Launch Kit' }).click()
  await page.getByLabel('Your prompt').fill('A can of cold brew')
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.waitForURL(/\/run\//)
  const path = new URL(page.url()).pathname
  await expect(page.getByText('Finished')).toBeVisible({ timeout: 240_000 })
  const finished = (shown: Page) => expect(shown.getByText('Finished')).toBeVisible()
  await shoot(page, { name: 'results', path, ready: finished })
  await shoot(page, {
    name: 'results-viewer',
    path,
    ready: async (shown) => {
      await finished(shown)
      await shown
        .getByRole('button', { name: /^View Hero/ })
        .first()
        .click()
      await expect(shown.getByRole('dialog')).toBeVisible()
    },
  })
  await shoot(page, { name: 'library-full', path: '/library', ready: heading('Library') })
})

test('screens of the editor', async ({ signedInPage: page, server, token, request }) => {
  test.setTimeout(420_000)
  const headers = { Authorization: `Bearer ${token}` }
  const flows: { id: string; name: string }[] = await (
    await request.get(`${server.url}/api/v1/flows/`, { headers })
  ).json()
  const kit = flows.find(({ name }) => name === 'Product Launch Kit')
  const copy = await (
    await request.post(`${server.url}/api/v1/flows/${kit?.id}/duplicate`, { headers })
  ).json()
  const cards = (shown: Page) => expect(shown.locator('.react-flow__node-card').first()).toBeVisible()
  await shoot(page, { name: 'editor', path: `/flow/${copy.id}`, ready: cards })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/flow/${copy.id}`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished', { timeout: 240_000 })
  const { pathname, search } = new URL(page.url())
  await shoot(page, {
    name: 'editor-run',
    path: `${pathname}${search}`,
    ready: async (shown) => {
      await cards(shown)
      await expect(shown.getByRole('region', { name: 'Run 1' })).toBeVisible()
    },
  })
  const published = await request.post(`${server.url}/api/v1/flows/${copy.id}/publish`, {
    headers,
    data: { note: 'First cut' },
  })
  expect(published.status(), await published.text()).toBe(200)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/flow/${copy.id}`)
  await page.getByRole('heading', { name: 'Voice-over' }).click()
  await page.keyboard.press('Delete')
  await expect(page.getByText(/^Saved (just now|\d+ s ago)$/)).toBeVisible()
  await shoot(page, {
    name: 'history',
    path: `/flow/${copy.id}`,
    ready: async (shown) => {
      await cards(shown)
      await openHistory(shown)
      await expect(shown.getByText('1 removed since Version 1')).toBeVisible()
    },
  })
})

/** At 390 px the History action is in the More menu. */
async function openHistory(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'More', exact: true })
  if (!(await more.isVisible())) return page.getByRole('button', { name: 'History' }).click()
  await more.click()
  await page.getByRole('menuitem', { name: 'History' }).click()
}
