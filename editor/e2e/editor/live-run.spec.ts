import type { Page } from '@playwright/test'
import { expect, test as newPageTest, keptTest as test } from '../fixtures'
import { newUser, register, storeSession } from '../fixtures/users'
import { Canvas, createFlow, flowNode } from './canvas'
import { composeFlow, heldFlow, openNewFlow } from './flows'

const dock = (page: Page) => page.getByRole('region', { name: /^Run \d+$/ })
const runAnnouncement = (page: Page) => page.locator('p[aria-live=polite]')

async function startRun(page: Page, canvas: Canvas) {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(canvas.card('Language model').getByText('Late August', { exact: true })).toBeVisible()
}

async function expectFinished(page: Page, canvas: Canvas) {
  await expect(dock(page)).toContainText('Finished')
  await expect(canvas.card('Compose').getByRole('img', { name: 'Finished' })).toBeVisible()
  await expect(canvas.card('Compose')).toContainText('Say A frosted can')
  await expect(canvas.card('Language model')).toContainText('Late August, and the can is cold.')
  await expect(canvas.card('Language model').getByRole('img', { name: 'Finished' })).toBeVisible()
}

newPageTest(
  'a run streams text, and continues after ten seconds offline',
  async ({ signedInPage: page, server, token, request, context, model }) => {
    await page.clock.install()
    const { canvas } = await openNewFlow(
      { page, server, token, request },
      { name: 'Offline', flow: heldFlow(composeFlow({ text: 'A frosted can' })) },
    )
    await startRun(page, canvas)
    await expect(canvas.card('Language model').getByRole('img', { name: 'Running' })).toBeVisible()
    await context.setOffline(true)
    await expect(dock(page)).toContainText('You are offline.')
    await page.clock.fastForward(10_000)
    await context.setOffline(false)
    await expect(dock(page)).not.toContainText('You are offline.')
    model.finish()
    await expectFinished(page, canvas)
  },
)

test('a run continues after a restart of the server', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
  model,
}) => {
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    { name: 'Restarted', flow: heldFlow(composeFlow({ text: 'A frosted can' })) },
  )
  await startRun(page, canvas)
  await server.kill()
  await expect(dock(page)).toContainText('Connection lost. Reconnecting…')
  await server.boot()
  await expect(dock(page)).not.toContainText('Connection lost.')
  model.finish()
  await expectFinished(page, canvas)
})

test('two tabs show the same run, also after a reload, and either can stop it', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
  context,
  model: _,
}) => {
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    { name: 'Twins', flow: heldFlow(composeFlow({ text: 'A frosted can' })) },
  )
  await startRun(page, canvas)
  await expect(page).toHaveURL(/\?run=/)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(dock(other)).toContainText('Running...')
  await page.reload()
  await expect(dock(page)).toContainText('Running...')
  await other.getByRole('button', { name: 'Stop' }).click()
  for (const tab of [page, other]) {
    await expect(dock(tab)).toContainText('Stopped')
    await expect(runAnnouncement(tab)).toHaveText(/^Run 1: Stopped/)
    await expect(new Canvas(tab).card('Compose')).toContainText('Say A frosted can')
  }
})

test('a failed step is named as the reason on all skipped steps and in the announcement', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const chain = Array.from({ length: 5 }, (_, at) => `say${at}`)
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    {
      name: 'Top',
      flow: {
        nodes: [
          flowNode('ask', 'user_prompt', 0, 0, { text: 'not data' }),
          flowNode('pick', 'pick', 320, 0, { path: 'a' }),
          ...chain.map((name, at) => flowNode(name, 'compose', 640 + at * 300, 0, { template: '{{it}}' })),
        ],
        edges: [
          { from: 'ask.output', to: 'pick.data' },
          ...chain.map((name, at) => ({ from: `${chain[at - 1] ?? 'pick'}.output`, to: `${name}.it` })),
        ],
      },
    },
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(canvas.card('Compose').getByText('Skipped because Pick from data failed.')).toHaveCount(5)
  await expect(runAnnouncement(page)).toHaveText(/^Run 1: Failed/)
  await page.getByRole('button', { name: 'Expand timeline' }).click()
  await expect(page.getByRole('list', { name: 'Steps of this run' }).getByText('Skipped')).toHaveCount(5)
})

test('a step that runs once per item shows all hundred results', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const items = Array.from({ length: 100 }, (_, at) => `line ${at}`)
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    {
      name: 'Hundred',
      flow: {
        nodes: [
          flowNode('ask', 'user_prompt', 0, 0, { text: JSON.stringify({ a: items }) }),
          flowNode('pick', 'pick', 320, 0, { path: 'a', most: 100 }),
          flowNode('say', 'compose', 640, 0, { template: 'Say {{it}}' }),
        ],
        edges: [
          { from: 'ask.output', to: 'pick.data' },
          { from: 'pick.output', to: 'say.it' },
        ],
      },
    },
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(runAnnouncement(page)).toHaveText(/^Run 1: Finished/)
  await canvas.select('Compose')
  await page.getByRole('tab', { name: 'Result' }).click()
  await expect(canvas.inspector).toContainText('Say line 0')
  await expect(canvas.inspector).toContainText('Say line 99')
})

test('the owner sees the full error, other users a general message', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
  browser,
}) => {
  const id = await createFlow(request, server.url, token, {
    name: 'Shared',
    flow: {
      nodes: [
        flowNode('ask', 'user_prompt', 0, 0, { text: 'not data' }),
        flowNode('pick', 'pick', 320, 0, { path: 'a' }),
      ],
      edges: [{ from: 'ask.output', to: 'pick.data' }],
    },
  })
  const headers = { Authorization: `Bearer ${token}` }
  const flow = `${server.url}/api/v1/flows/${id}`
  expect((await request.patch(flow, { headers, data: { visibility: 'public' } })).ok()).toBe(true)
  expect((await request.post(`${flow}/publish`, { headers, data: { note: '' } })).ok()).toBe(true)

  const canvas = new Canvas(page)
  await canvas.open(id)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(canvas.card('Pick from data')).toContainText('not JSON')

  const visitorContext = await browser.newContext({ baseURL: server.url })
  await storeSession(server, visitorContext, await register(server, visitorContext.request, newUser()))
  const visitor = new Canvas(await visitorContext.newPage())
  await visitor.open(id)
  await visitor.page.getByRole('button', { name: 'Launch', exact: true }).click()
  const pick = visitor.card('Pick from data')
  await expect(pick).toContainText('An error occurred. Please try again later.')
  await expect(pick).not.toContainText('JSON')
  await expect(dock(visitor.page)).not.toContainText('JSON')
  await pick.click()
  await visitor.page.getByRole('tab', { name: 'Result' }).click()
  await expect(visitor.inspector).toContainText('An error occurred. Please try again later.')
  await expect(visitor.inspector).not.toContainText('JSON')
  await visitorContext.close()
})
