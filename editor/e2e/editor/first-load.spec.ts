import { gzipSync } from 'node:zlib'
import type { Page, Request, Response } from '@playwright/test'
import { expect, keptTest, test } from '../fixtures'
import { closeByEscape } from '../fixtures/dialogs'
import { withoutLongTimers } from '../fixtures/interception'
import { Canvas, createFlow, flowNode } from './canvas'

async function sizeOf(responses: readonly Response[]): Promise<number> {
  const bodies = await Promise.all(responses.map((response) => response.body()))
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
}

/** The responses of the scripts and styles that the page loads from now on, by path. */
function codeOf(page: Page): Map<string, Response> {
  const responses = new Map<string, Response>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (/\.(js|css)$/.test(pathname)) responses.set(pathname, response)
  })
  return responses
}

test('a first visit loads less than 241 kB of the sign-in page, and less than 288 kB more of the editor', async ({
  signedInPage: page,
  server,
  token,
  request,
  browser,
}) => {
  const id = await createFlow(request, server.url, token, {
    flow: { nodes: [flowNode('a', 'compose', 0, 0)] },
  })
  const context = await browser.newContext()
  const visitor = await context.newPage()
  await withoutLongTimers(visitor)
  const first = codeOf(visitor)
  await visitor.goto(`${server.url}/login`)
  await expect(visitor.getByRole('textbox', { name: 'Password' })).toBeVisible()
  await visitor.waitForLoadState('networkidle')
  const signIn = await sizeOf([...first.values()])
  expect(signIn).toBeGreaterThan(150_000)
  expect(signIn).toBeLessThan(241_000)
  await context.close()

  await withoutLongTimers(page)
  const all = codeOf(page)
  const canvas = new Canvas(page)
  await canvas.open(id)
  await expect(canvas.cards).toHaveCount(1)
  await page.waitForLoadState('networkidle')
  const own = [...all].filter(([path]) => !first.has(path))
  const total = await sizeOf(own.map(([, response]) => response))
  expect(total).toBeGreaterThan(150_000)
  expect(total).toBeLessThan(288_000)
})

/** Expects the code of each page, by its path, to be requested together with the code of the application. */
async function expectRequestedAtOnce(page: Page, pages: Record<string, string>): Promise<void> {
  for (const [path, name] of Object.entries(pages)) {
    const requested = page.waitForRequest(new RegExp(`/assets/${name}-[^/]*\\.js$`))
    // The application runs once the code of the page is requested, so it has not requested that itself.
    await page.route('**/assets/index-*.js', async (route) => {
      await requested
      await route.continue()
    })
    await page.goto(path)
    await expect(page.getByRole('main')).toHaveCount(1)
    await page.unroute('**/assets/index-*.js')
  }
}

test('the code of a page is requested together with the code of the application', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const id = await createFlow(request, server.url, token)
  await expectRequestedAtOnce(page, { '/': 'home-page', [`/flow/${id}`]: 'flow-page' })
})

test('so is the code of the other pages', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const flow = { nodes: [flowNode('a', 'user_prompt', 0, 0, { text: 'A jug' })] }
  const id = await createFlow(request, server.url, token, { flow })
  const launched = await request.post(`${server.url}/api/v1/flows/${id}/runs`, {
    data: { version: 'draft' },
    headers: { Authorization: `Bearer ${token}` },
  })
  const { id: run } = await launched.json()
  await expectRequestedAtOnce(page, {
    '/flow/': 'agents-page',
    '/runs': 'runs-page',
    [`/run/${run}`]: 'run-page',
    '/library': 'library-page',
  })
})

keptTest(
  'an agent that is opened is requested once, and again when it is opened again',
  { tag: '@thorough' },
  async ({ signedInPage: page, server, token, request }) => {
    const id = await createFlow(request, server.url, token, {
      name: 'Jug',
      flow: { nodes: [flowNode('a', 'compose', 0, 0, { template: 'First' })] },
    })
    let requests = 0
    const count = (sent: Request) => {
      if (sent.method() === 'GET' && sent.url().endsWith(`/api/v1/flows/${id}`)) requests += 1
    }
    page.on('request', count)
    const canvas = new Canvas(page)
    await canvas.open(id)
    await expect(canvas.cards).toHaveCount(1)
    page.off('request', count)
    expect(requests).toBe(1)
    await canvas.select('Compose')
    const template = canvas.inspector.getByLabel('Template', { exact: true })
    await template.fill('Second')
    await page.goBack()
    await page.goForward()
    await canvas.select('Compose')
    await expect(template).toHaveValue('Second')
  },
)

test('what opens on demand also opens when the connection is lost after the first seconds', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const id = await createFlow(request, server.url, token, {
    flow: { nodes: [flowNode('a', 'compose', 0, 0)] },
  })
  const canvas = new Canvas(page)
  const preloaded = [
    'panels-on-demand',
    'history-on-demand',
    'rare-controls',
    'layout',
    'markdown-elements',
  ].map((name) =>
    page.waitForResponse((response) => new RegExp(`/assets/${name}-[^/]*\\.js$`).test(response.url())),
  )
  await canvas.open(id)
  await expect(canvas.cards).toHaveCount(1)
  await Promise.all(preloaded)
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)

  await page.locator('.react-flow__pane').click({ button: 'right', position: { x: 640, y: 600 } })
  await expect(page.getByRole('menu')).toBeVisible()
  await closeByEscape(page.getByRole('menu'))
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await closeByEscape(page.getByRole('dialog'))
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await closeByEscape(page.getByRole('dialog'))
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByLabel('What changed? (optional)')).toBeVisible()
  await closeByEscape(page.getByRole('dialog'))
  await page.getByRole('button', { name: 'History' }).click()
  await expect(page.getByRole('button', { name: 'Back to draft' })).toBeVisible()
  await expect(page.getByText('This part could not be loaded')).toHaveCount(0)
})
