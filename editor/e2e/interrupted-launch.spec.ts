import type { APIRequestContext, Page, Route } from '@playwright/test'
import { Canvas, createFlow } from './editor/canvas'
import { composeFlow } from './editor/flows'
import { expect, type Server, keptTest as test } from './fixtures'
import { intercept } from './fixtures/interception'

type Fate = {
  name: string
  meet: (route: Route) => Promise<void>
  /** The tags of its test at Home; those of the canvas run at night. */
  home: string[]
}

/** What may have become of a launch request when the page is reloaded before its response. */
const FATES: Fate[] = [
  { name: 'never arrived', meet: async () => {}, home: [] },
  {
    name: 'was executed',
    meet: async (route) => void (await route.fetch()),
    home: ['@thorough'],
  },
]

/** Gives the first launch request of the page its fate, and resolves when that has happened. */
async function interceptLaunch(page: Page, meet: Fate['meet']): Promise<() => Promise<void>> {
  let happened = () => {}
  const over = new Promise<void>((done) => {
    happened = done
  })
  await intercept(
    page,
    '**/api/v1/flows/*/runs',
    async (route) => {
      await meet(route)
      happened()
    },
    { times: 1 },
  )
  return () => over
}

async function countRuns(request: APIRequestContext, server: Server, token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` }
  const listed = await request.get(`${server.url}/api/v1/runs`, { headers })
  expect(listed.ok(), await listed.text()).toBe(true)
  return (await listed.json()).items.length
}

for (const { name, meet, home } of FATES) {
  test(`a launch from Home whose request ${name} survives a reload, and is made once`, { tag: home }, async ({
    signedInPage: page,
    server,
    token,
    request,
  }) => {
    await page.goto('/')
    await page.getByRole('radio', { name: 'Brand Voice Writer' }).click()
    await page.getByLabel('Your prompt').fill('Fresh sourdough from a bakery in Porto')
    const interception = await interceptLaunch(page, meet)
    await page.getByRole('button', { name: 'Launch', exact: true }).click()
    await interception()
    await page.reload()
    await page.waitForURL(/\/run\//)
    await expect(page.getByText('Fresh sourdough from a bakery in Porto').first()).toBeVisible()
    expect(await countRuns(request, server, token)).toBe(1)
    await page.goto('/')
    await expect(page.getByLabel('Your prompt')).toHaveValue('')
  })

  test(`a run of the canvas whose request ${name} survives a reload, and is made once`, {
    tag: '@thorough',
  }, async ({ signedInPage: page, server, token, request }) => {
    const id = await createFlow(request, server.url, token, { name: 'Interrupted', flow: composeFlow() })
    const canvas = new Canvas(page)
    await canvas.open(id)
    const interception = await interceptLaunch(page, meet)
    await page.keyboard.press('Control+Enter')
    await interception()
    await page.reload()
    await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')
    await expect(canvas.card('Compose')).toContainText('Say Cold brew')
    expect(await countRuns(request, server, token)).toBe(1)
  })
}
