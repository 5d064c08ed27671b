import { expect, test as newPageTest, keptTest as test, toast } from '../fixtures'
import { holdRequests, intercept } from '../fixtures/interception'
import { Canvas, createFlow } from './canvas'
import { composeFlow, openNewFlow } from './flows'

const flow = composeFlow()

newPageTest(
  'changes are saved after a pause, and at once on leaving the page',
  async ({ signedInPage: page, server, token, request }) => {
    await page.clock.install()
    const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
    let saves = 0
    page.on('request', (sent) => {
      if (sent.method() === 'PUT' && sent.url().includes(`/flows/${id}/draft`)) saves += 1
    })
    await canvas.select('User prompt')
    const prompt = canvas.inspector.getByLabel('Prompt', { exact: true })
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
    for (const text of [', then', ' more', ' of it']) {
      await prompt.pressSequentially(text)
      await page.clock.runFor(1_300)
    }
    expect(saves).toBe(0)
    await page.clock.resume()
    await canvas.saved()
    expect(saves).toBe(1)

    await prompt.fill('Left the page')
    await page.getByRole('link', { name: 'Agents' }).click()
    await expect(page.getByRole('heading', { name: 'Agents', exact: true })).toBeVisible()
    const savedText = async () => (await canvas.draft(request, server.url, token, id)).nodes[0]?.settings.text
    await expect.poll(savedText).toBe('Left the page')

    await canvas.open(id)
    await canvas.select('User prompt')
    await prompt.fill('Closed the tab')
    await page.close({ runBeforeUnload: true })
    await expect.poll(savedText).toBe('Closed the tab')
  },
)

newPageTest(
  'unsaved changes are recovered after a crash, with a toast and undo',
  async ({ signedInPage: page, context, server, token, request }) => {
    const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
    await intercept(page, '**/draft', (route) => route.abort())
    await canvas.select('User prompt')
    await canvas.inspector.getByLabel('Prompt', { exact: true }).fill('Only here')
    await expect(page.getByText('Offline, saved in this browser')).toBeVisible()
    const crashing = await context.newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    void crashing.send('Page.crash').catch(() => undefined)
    await crashed

    const after = new Canvas(await context.newPage())
    await after.open(id)
    // Hovering keeps the toast open until the changes are saved.
    const recovered = toast(after.page, 'Unsaved changes recovered')
    await recovered.hover()
    await expect(after.card('User prompt')).toContainText('Only here')
    await after.saved()
    await recovered.getByRole('button', { name: 'Undo' }).click()
    await expect(after.card('User prompt')).toContainText('Cold brew')
  },
)

test('nodes are copied and cut as text, and pasted in other tabs and agents', { tag: '@thorough' }, async ({
  signedInPage: page,
  context,
  server,
  token,
  request,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [source, target] = [
    await createFlow(request, server.url, token, { name: 'From', flow }),
    await createFlow(request, server.url, token, { name: 'To' }),
  ]
  const canvas = new Canvas(page)
  await canvas.open(source)
  await expect(canvas.cards).toHaveCount(2)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(JSON.parse(text).nodes).toHaveLength(2)

  const other = new Canvas(await context.newPage())
  await other.open(target)
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

test('an agent that is opened again has the last edits also while its document is loading', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const template = () => canvas.inspector.getByLabel('Template', { exact: true })
  await canvas.select('Compose')
  await template().fill('First edit of {{it}}')
  await canvas.saved()
  await page.getByRole('link', { name: 'Impasto, Home' }).click()
  await expect(page).toHaveURL(/\/$/)
  const release = await holdRequests(page, `**/api/v1/flows/${id}`)
  await page.goBack()
  await expect(page.getByText('Loading agent').or(canvas.card('Compose')).first()).toBeAttached()
  release()
  await canvas.select('Compose')
  await expect(template()).toHaveValue('First edit of {{it}}')
  await template().fill('Second edit of {{it}}')
  await canvas.saved()
  await expect(page.getByRole('dialog', { name: 'Edit conflict' })).toHaveCount(0)
  const { nodes } = await canvas.draft(request, server.url, token, id)
  expect(nodes[1]?.settings).toEqual({ template: 'Second edit of {{it}}' })
})
