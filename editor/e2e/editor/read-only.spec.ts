import {
  expect,
  expectNoHorizontalScroll,
  newUser,
  register,
  storeSession,
  keptTest as test,
} from '../fixtures'
import { Canvas, createFlow, flowNode } from './canvas'
import { composeFlow, openNewFlow } from './flows'

test('an agent of another user can be viewed, launched and duplicated, not edited', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const flows = await request.get(`${server.url}/api/v1/flows/`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  const kit = (await flows.json()).find((flow: { name: string }) => flow.name === 'Product Launch Kit')
  const canvas = new Canvas(page)
  await canvas.open(kit.id)
  await expect(page.getByText('Read-only')).toBeVisible()
  await expect(canvas.palette).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0)
  await canvas.cards.first().click()
  const selected = page.locator('.react-flow__node-card.selected')
  await expect(selected).toHaveCount(1)
  await page.keyboard.press('Delete')
  await expect(selected).toHaveCount(1)

  await page.keyboard.press('Escape')
  const form = page.getByRole('region', { name: 'Launch this agent' })
  await expect(form.getByLabel('What are you launching?')).toBeVisible()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect(page).not.toHaveURL(new RegExp(kit.id))
  await expect(canvas.palette).toBeVisible()
})

test('a visitor fills in the inputs, launches the agent and follows the run on the canvas', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request, browser }) => {
  const id = await createFlow(request, server.url, token, {
    name: 'Greeter',
    flow: composeFlow({ text: 'you', template: 'Hello {{it}}' }),
  })
  const headers = { Authorization: `Bearer ${token}` }
  const flow = `${server.url}/api/v1/flows/${id}`
  expect((await request.patch(flow, { headers, data: { visibility: 'public' } })).ok()).toBe(true)
  expect((await request.post(`${flow}/publish`, { headers, data: { note: '' } })).ok()).toBe(true)

  // The owner runs the draft; others run the published version.
  const owner = new Canvas(page)
  await owner.open(id)
  await owner.select('Compose')
  await owner.inspector.getByLabel('Template', { exact: true }).fill('Good evening {{it}}')
  await owner.save()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(owner.card('Compose')).toContainText('Good evening you')
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Run Version 1' }).click()
  await expect(page.getByRole('region', { name: 'Run 2' })).toContainText('Finished')
  await expect(owner.card('Compose')).toContainText('Hello you')

  const visitorContext = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
  })
  await storeSession(server, visitorContext, await register(server, visitorContext.request, newUser()))
  const visitor = new Canvas(await visitorContext.newPage())
  await visitor.open(id)
  await visitor.page.getByRole('button', { name: 'Launch', exact: true }).click()
  const form = visitor.page.getByRole('region', { name: 'Launch this agent' })
  await form.getByLabel('User prompt').fill('Ada')
  await form.getByRole('button', { name: 'Launch' }).click()
  await expect(visitor.card('Compose')).toContainText('Hello Ada')
  await expect(visitor.page.getByRole('region', { name: /^Run \d/ })).toContainText('Finished')
  await visitorContext.close()
})

test('at no width anything overflows', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const flow = { nodes: [flowNode('ask', 'user_prompt', 0, 0, { text: 'Cold brew' })] }
  const { canvas } = await openNewFlow({ page, server, token, request }, { name: 'Sizes', flow })
  for (const width of [1440, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    // The flow is fitted to the window when it is opened.
    await page.reload()
    await canvas.waitUntilOpen()
    await expect(canvas.palette).toHaveCount(width >= 1024 ? 1 : 0)
    await expect(canvas.card('User prompt')).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Add a node' })).toHaveCount(width >= 1024 ? 0 : 1)
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeInViewport()
    await expectNoHorizontalScroll(page)
  }
})
