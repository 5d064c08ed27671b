import { expect, notice, test } from '../fixtures'
import { Canvas, createFlow } from './canvas'
import { begin, saying } from './flows'

const flow = saying()

test('work is saved by itself once it rests, and at once when one leaves', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  await page.clock.install()
  const { id, canvas } = await begin({ page, server, token, request }, { flow })
  let saves = 0
  page.on('request', (sent) => {
    if (sent.method() === 'PUT' && sent.url().includes(`/flows/${id}/draft`)) saves += 1
  })
  await canvas.select('User prompt')
  const prompt = canvas.inspector.getByLabel('Prompt', { exact: true })
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  for (const words of [', then', ' more', ' of it']) {
    await prompt.pressSequentially(words)
    await page.clock.runFor(1_300)
  }
  expect(saves).toBe(0)
  await page.clock.resume()
  await canvas.saved()
  expect(saves).toBe(1)

  await prompt.fill('Gone in a moment')
  await page.getByRole('link', { name: 'Agents' }).click()
  await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible()
  const text = async () => (await canvas.draft(request, server.url, token, id)).nodes[0]?.settings.text
  await expect.poll(text).toBe('Gone in a moment')

  await canvas.open(id)
  await canvas.select('User prompt')
  await prompt.fill('The tab was closed')
  await page.close({ runBeforeUnload: true })
  await expect.poll(text).toBe('The tab was closed')
})

test('what a crash left behind comes back with a word about it, and can be undone', async ({
  signedInPage: page,
  context,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await begin({ page, server, token, request }, { flow })
  await page.route('**/draft', (route) => route.abort())
  await canvas.select('User prompt')
  await canvas.inspector.getByLabel('Prompt', { exact: true }).fill('Only here')
  await expect(page.getByText('Offline, saved in this browser')).toBeVisible()
  const crashing = await context.newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  void crashing.send('Page.crash').catch(() => undefined)
  await crashed

  const after = new Canvas(await context.newPage())
  await after.open(id)
  // Held by the pointer, so that it stays until all is saved.
  const back = notice(after.page, 'Unsaved changes recovered')
  await back.hover()
  await expect(after.card('User prompt')).toContainText('Only here')
  await after.saved()
  await back.getByRole('button', { name: 'Undo' }).click()
  await expect(after.card('User prompt')).toContainText('Cold brew')
})

test('nodes travel as text: between tabs, between agents, and out of the canvas when cut', async ({
  signedInPage: page,
  context,
  server,
  token,
  request,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [from, to] = [
    await createFlow(request, server.url, token, { name: 'From', flow }),
    await createFlow(request, server.url, token, { name: 'To' }),
  ]
  const canvas = new Canvas(page)
  await canvas.open(from)
  await expect(canvas.cards).toHaveCount(2)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(JSON.parse(text).nodes).toHaveLength(2)

  const other = new Canvas(await context.newPage())
  await other.open(to)
  await expect(other.page.getByRole('heading', { name: 'Empty canvas' })).toBeVisible()
  await other.page.keyboard.press('Control+v')
  await expect(other.cards).toHaveCount(2)
  await expect(other.edges).toHaveCount(1)
  await other.page.keyboard.press('Control+z')
  await expect(other.cards).toHaveCount(0)

  await page.bringToFront()
  await canvas.select('Compose')
  await canvas.card('Compose').focus()
  await page.keyboard.press('Control+x')
  await expect(canvas.cards).toHaveCount(1)
  await page.keyboard.press('Control+v')
  await expect(canvas.cards).toHaveCount(2)
  await expect(canvas.edges).toHaveCount(0)
})
