import type { Page } from '@playwright/test'
import {
  expect,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  keptTest as test,
  toast,
} from './fixtures'

const pending = JSON.stringify({
  username: 'mara',
  email: 'm@n.example',
  destination: 'm•••@n•••.example',
  sentAt: 0,
})

const screens: Record<string, (page: Page) => Promise<void>> = {
  'sign in with errors': async (page) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert').first()).toBeVisible()
  },
  'sign up with errors': async (page) => {
    await page.goto('/signup')
    await page.getByLabel('Username').fill('mara')
    await page.getByLabel('Email').fill('mara@northbound')
    await page.getByLabel('Password', { exact: true }).fill('Abcdefgh')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await expect(page.getByText('Email is invalid.')).toBeVisible()
  },
  'forgotten password': async (page) => {
    await page.goto('/forget-password')
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  },
  'reset password': async (page) => {
    await page.goto('/forget-password')
    await page.getByLabel('Email').fill('unknown@northbound.example')
    await page.getByRole('button', { name: 'Send email' }).click()
    // As for an address that is known.
    await expect(page.getByText('we sent it a 6-digit code')).toBeVisible()
  },
  'set password': async (page) => {
    await page.goto('/set-password')
    await expect(page.getByRole('alert')).toContainText('Failed to set definitive password.')
  },
  company: async (page) => {
    await page.goto('/onboarding/company')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('alert').first()).toBeVisible()
  },
  why: async (page) => {
    await page.goto('/onboarding/why')
    await page.getByLabel('Save time').check()
  },
  'activate account': async (page) => {
    await page.goto('/mark.svg')
    await page.evaluate((stored) => localStorage.setItem('impasto.pending-account', stored), pending)
    await page.goto('/onboarding/activate-account')
    await page.getByLabel('Confirmation code').click()
    await page.keyboard.type('407')
  },
  'not found': async (page) => {
    await page.goto('/nowhere')
    await expect(page.getByRole('heading', { name: 'Not Found' })).toBeVisible()
  },
}

/** One of each kind: a form with errors, choices, a code to type, and a page without a form. */
const KINDS = ['sign up with errors', 'why', 'activate account', 'not found']

for (const [screen, show] of Object.entries(screens)) {
  const tag = KINDS.includes(screen) ? [] : ['@thorough']
  test(`axe finds no violations: ${screen}`, { tag }, async ({ page }) => {
    await show(page)
    await expectAccessibleInBothThemes(page)
  })
}

test('axe finds no violations in the account and its menu, and they fit 390 px', async ({
  signedInPage: page,
}) => {
  await page.goto('/account/')
  await page.getByLabel('New password').fill('Abc')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessibleInBothThemes(page, '[role="menu"]')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoHorizontalScroll(page)
})

test('signing in works with the keyboard alone', async ({ page, server, user, token }) => {
  expect(token).toBeTruthy()
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type(user.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(user.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${server.url}/`)
  await page.goto('/account/')
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
})

for (const path of ['/login', '/signup', '/onboarding/company', '/onboarding/why', '/forget-password']) {
  const tag = path === '/signup' ? [] : ['@thorough']
  test(`${path} fits 390 px`, { tag }, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoHorizontalScroll(page)
  })
}

test('axe finds no violations: toast', { tag: '@thorough' }, async ({ page }) => {
  await page.goto('/forget-password')
  await page.getByLabel('Email').fill('unknown@northbound.example')
  await page.getByRole('button', { name: 'Send email' }).click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await toast(page, 'Email sent').hover()
  await expectAccessibleInBothThemes(page)
})

test('navigation announces the page title, also after a placeholder', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.route('**/*.js', async (route) => {
    await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'attached' })
    await route.continue()
  })
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Create your account · Impasto' })).toBeAttached()
})
