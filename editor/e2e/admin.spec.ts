import type { APIRequestContext, Page } from '@playwright/test'
import {
  keptTest as base,
  expect,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  newUser,
  register,
  type Server,
  signIn,
  toast,
} from './fixtures'

const test = base.extend({
  user: ({ admin }, use) => use(admin),
  token: async ({ server, context, user }, use) => use(await signIn(server, context.request, user)),
})

const SECTIONS = ['People', 'Invitations', 'Agents', 'Runs', 'Usage and costs', 'Audit log'] as const

const flow = {
  format: 1,
  name: 'Tasting notes',
  nodes: [{ id: 'prompt', type: 'user_prompt', version: 1, settings: { text: 'Short.' } }],
  edges: [],
}

/** Publishes a public agent as the owner of `token`, and runs it to its end. */
async function publishAndRun(server: Server, request: APIRequestContext, token: string, name: string) {
  const headers = { Authorization: `Bearer ${token}` }
  const post = async (path: string, data: object) => {
    const response = await request.post(`${server.url}/api/v1${path}`, { data, headers })
    expect(response.ok(), await response.text()).toBe(true)
    return response.json()
  }
  const { id } = await post('/flows/', { name, flow: { ...flow, name }, visibility: 'public' })
  await post(`/flows/${id}/publish`, {})
  const run = await post(`/flows/${id}/runs`, {})
  const status = async () =>
    (await (await request.get(`${server.url}/api/v1/runs/${run.id}`, { headers })).json()).status
  await expect.poll(status).toBe('finished')
}

const section = (page: Page, name: (typeof SECTIONS)[number]) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name })

async function open(page: Page, name: (typeof SECTIONS)[number]) {
  await section(page, name).click()
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
}

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

base(
  'for users without the role there is no menu entry and no page',
  { tag: '@thorough' },
  async ({ signedInPage: page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await expect(page.getByRole('menuitem', { name: 'Account' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Administration' })).toHaveCount(0)
    for (const path of ['/admin', '/admin/audit']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: 'Not Found' })).toBeVisible()
      await expect(page.getByText('This page does not exist.')).toBeVisible()
    }
  },
)

test('admins find and suspend a user, who cannot sign in until restored', async ({
  signedInPage: page,
  server,
  playwright,
}) => {
  const other = newUser('noor')
  const request = await playwright.request.newContext()
  await register(server, request, other)
  const signInStatus = async () =>
    (
      await request.post(`${server.url}/api/v1/identity/sign-in`, {
        data: { username: other.username, password: other.password },
      })
    ).status()

  await page.goto('/')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Administration' }).click()
  await expect(page).toHaveURL(/\/admin\/people$/)
  await page.getByLabel('Search by name or email').fill(other.email.toUpperCase())
  await expect(page.getByText('1 person')).toBeVisible()
  await page.getByRole('button', { name: `Manage ${other.username}` }).click()
  const dialog = page.getByRole('dialog', { name: other.username })
  const suspend = dialog.getByRole('button', { name: 'Suspend' })
  await expect(suspend).toBeDisabled()
  await expectAccessibleInBothThemes(page, '[role="dialog"]')
  await dialog.getByLabel('Reason').fill('Sends spam')
  await suspend.click()
  await expect(dialog.getByText('Suspended for: Sends spam')).toBeVisible()
  expect(await signInStatus()).toBe(403)

  await dialog.getByLabel('Reason').fill('Settled')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(dialog.getByRole('button', { name: 'Suspend' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(row(page, other.username)).toContainText('Active')
  expect(await signInStatus()).toBe(200)

  await page.getByLabel('Search by name or email').fill('unknown-name')
  await expect(page.getByText('No people match.')).toBeVisible()
  await request.dispose()
})

test('invitations are sent, sent again and revoked', async ({ signedInPage: page }) => {
  const { email } = newUser('ines')
  await page.goto('/admin/invitations')
  const send = async (address: string) => {
    await page.getByLabel('Email').fill(address)
    await page.getByRole('button', { name: 'Send invitation' }).click()
  }
  await send('no-address')
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toBeVisible()
  await send(email)
  await expect(toast(page, `Invitation sent to ${email}`)).toBeVisible()
  await expect(row(page, email)).toContainText('Open')
  await page.getByRole('button', { name: `Send again to ${email}` }).click()
  await page.getByRole('button', { name: `Revoke the invitation of ${email}` }).click()
  await expect(row(page, email)).toContainText('Revoked')
})

test('admins feature, unpublish and republish a public agent', async ({
  signedInPage: page,
  server,
  token,
}) => {
  await publishAndRun(server, page.request, token, 'Roast report')
  await page.goto('/admin/agents')
  await page.getByLabel('Search by name').fill('roast')
  const agent = row(page, 'Roast report')
  await page.getByRole('button', { name: 'Feature: Roast report' }).click()
  await expect(agent).toContainText('Featured')
  await page.getByRole('button', { name: 'Stop featuring: Roast report' }).click()
  await expect(agent).not.toContainText('Featured')

  await page.getByRole('button', { name: 'Unpublish: Roast report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unpublish Roast report' })
  await dialog.getByLabel('Reason').fill('Copyright')
  await dialog.getByRole('button', { name: 'Unpublish' }).click()
  await expect(dialog).toBeHidden()
  const withheld = page.getByRole('region', { name: 'An admin has unpublished this agent' })
  await page.goto('/flow/?tab=own')
  const card = page.getByRole('listitem').filter({ hasText: 'Roast report' })
  await expect(card).toContainText('Unpublished by an admin: Copyright')
  await expectAccessibleInBothThemes(page)
  await card.getByRole('link').click()
  await expect(withheld).toContainText('Reason: Copyright')
  await expect(withheld).toContainText('Only you can see it.')
  await withheld.getByRole('button', { name: 'Close' }).click()
  await expect(withheld).toHaveCount(0)
  await page.goto('/admin/agents?q=roast')
  await choose(page, 'Status', 'Unpublished')
  await expect(agent).toContainText('Unpublished')
  await page.getByRole('button', { name: 'Republish: Roast report' }).click()
  const republish = page.getByRole('dialog', { name: 'Republish Roast report' })
  await republish.getByLabel('Reason').fill('Settled')
  await republish.getByRole('button', { name: 'Republish' }).click()
  await expect(page.getByText('No public agents match.')).toBeVisible()
})

test('runs, usage and the audit log show what a user did', async ({
  signedInPage: page,
  server,
  user,
  playwright,
}) => {
  const owner = newUser('noor')
  const request = await playwright.request.newContext()
  await publishAndRun(server, request, await register(server, request, owner), 'Bean finder')
  await request.dispose()
  await page.goto('/admin/runs')
  await expect(row(page, 'Bean finder #1')).toContainText(owner.username)
  await choose(page, 'Status', 'Finished')
  await expect(row(page, 'Bean finder #1')).toContainText('Finished')
  await choose(page, 'Status', 'Failed')
  await expect(row(page, 'Bean finder #1')).toHaveCount(0)
  await choose(page, 'Status', 'Any status')
  await page.getByRole('link', { name: owner.username }).first().click()
  await expect(page).toHaveURL(/user_id=/)
  await page.getByRole('combobox', { name: 'Agent' }).click()
  await page.getByRole('option', { name: `Bean finder ${owner.username}` }).click()
  await expect(page).toHaveURL(/flow_id=/)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'User' })).toHaveText(owner.username)
  await expect(page.getByRole('combobox', { name: 'Agent' })).toHaveText('Bean finder')
  await expect(row(page, 'Bean finder #1')).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/runs$/)

  await open(page, 'Usage and costs')
  await page.getByRole('radio', { name: 'User' }).click()
  await expect(row(page, owner.username)).toContainText('1')
  await page.getByRole('radio', { name: 'Day' }).click()
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: /20\d\d/ })
      .first(),
  ).toBeVisible()

  await open(page, 'Audit log')
  await choose(page, 'Action', 'Admin role granted')
  await expect(row(page, user.username)).toHaveCount(1)
  await expect(row(page, user.username)).toContainText('Operator')
  await expect(page.getByRole('row').filter({ hasText: 'Account created' })).toHaveCount(0)
  await choose(page, 'Outcome', 'Denied')
  await expect(page.getByText('No entries match.')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await download).suggestedFilename()).toBe('audit-log.csv')
})

for (const { which, sections, width, tag } of [
  { which: 'two sections', sections: ['People', 'Usage and costs'], width: 1440, tag: [] },
  { which: 'all sections', sections: SECTIONS, width: 1440, tag: ['@thorough'] },
  { which: 'all sections', sections: SECTIONS, width: 390, tag: ['@thorough'] },
] as const) {
  test(`${which} are accessible at ${width} px`, { tag: [...tag] }, async ({
    signedInPage: page,
    server,
    token,
  }) => {
    await publishAndRun(server, page.request, token, 'A report on the roasting of beans and on much else')
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/admin/people')
    for (const name of sections) {
      await open(page, name)
      // Axe takes seconds for the hundreds of rows of a worker's users.
      if (name === 'Audit log') await choose(page, 'Action', 'Admin role granted')
      await expect(page.locator('main .animate-breathe')).toHaveCount(0)
      await expectAccessibleInBothThemes(page)
      for (const shown of [width, 390]) {
        await page.setViewportSize({ width: shown, height: 844 })
        await expectNoHorizontalScroll(page)
      }
      await page.setViewportSize({ width, height: 844 })
    }
  })
}

test('admins change the limits of a user, and set one back to its default', { tag: '@thorough' }, async ({
  signedInPage: page,
  user,
}) => {
  await page.goto('/admin/people')
  await page.getByRole('button', { name: `Manage ${user.username}` }).click()
  const form = page.getByRole('form', { name: 'Limits' })
  const assets = form.getByLabel('Assets')
  const save = form.getByRole('button', { name: 'Save limits' })
  await expect(assets).toHaveValue('')
  await expect(save).toBeDisabled()
  await assets.fill('many')
  await save.click()
  await expect(form.getByRole('alert')).toBeVisible()
  await assets.fill('12')
  await form.getByLabel('Dollars a day').fill('2.50')
  await save.click()
  await expect(save).toBeDisabled()

  await page.reload()
  await page.getByRole('button', { name: `Manage ${user.username}` }).click()
  await expect(assets).toHaveValue('12')
  await assets.fill('')
  await save.click()
  await expect(save).toBeDisabled()
  await expect(assets).toHaveValue('')
  await expect(form.getByLabel('Dollars a day')).toHaveValue('2.5')
})
