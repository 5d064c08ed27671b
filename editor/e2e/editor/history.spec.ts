import { expect, expectAccessibleInBothThemes, test } from '../fixtures'
import { Canvas, createFlow } from './canvas'
import { composeFlow, openNewFlow } from './flows'

const flow = composeFlow({ distance: 400 })

test('the history marks added, removed and changed nodes, and restores a version', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { name: 'Kit', flow })
  const headers = { Authorization: `Bearer ${token}` }
  const published = await request.post(`${server.url}/api/v1/flows/${id}/publish`, {
    headers,
    data: { note: 'First cut' },
  })
  expect(published.status(), await published.text()).toBe(200)
  await canvas.select('Compose')
  await canvas.inspector.getByLabel('Template', { exact: true }).fill('Shout {{it}}')
  await canvas.drag('Text to speech', 640, 640)
  await canvas.saved()

  await page.getByRole('button', { name: 'History' }).click()
  await expect(page.getByText('1 added, 1 changed since Version 1')).toBeVisible()
  await expect(page.getByRole('article', { name: 'Text to speech: Added' })).toBeVisible()
  const changed = page.getByRole('article', { name: 'Compose: Changed' })
  await expect(changed.locator('del')).toHaveText('Say {{it}}')
  await expect(changed.locator('ins')).toHaveText('Shout {{it}}')
  await expect(page.getByRole('article', { name: 'User prompt: Unchanged' })).toBeVisible()

  await page.getByRole('button', { name: 'Restore Version 1' }).click()
  await expect(page.getByText('Restored Version 1 as the draft', { exact: true })).toBeVisible()
  await expect(canvas.cards).toHaveCount(2)
  const draft = await canvas.draft(request, server.url, token, id)
  expect(draft.nodes[1]?.settings).toEqual({ template: 'Say {{it}}' })
})

test('a published version is withdrawn after a question, and the one before it is live again', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { name: 'Kit', flow })
  const publish = async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const path = `${server.url}/api/v1/flows/${id}/publish`
    const published = await request.post(path, { headers, data: { note: '' } })
    expect(published.status(), await published.text()).toBe(200)
  }
  await publish()
  await canvas.select('Compose')
  await canvas.inspector.getByLabel('Template', { exact: true }).fill('Shout {{it}}')
  await canvas.saved()
  await publish()

  await page.getByRole('button', { name: 'History' }).click()
  const rows = page.getByRole('region', { name: 'History', exact: true })
  await rows.getByRole('button', { name: 'Version 2' }).click()
  await page.getByRole('button', { name: 'Withdraw Version 2' }).click()
  const dialog = page.getByRole('dialog', { name: 'Withdraw Version 2?' })
  await expect(dialog).toContainText('It can no longer be launched')
  await expectAccessibleInBothThemes(page)
  await dialog.getByRole('button', { name: 'Withdraw Version 2' }).click()
  await expect(dialog).toBeHidden()
  await expect(rows.getByRole('button', { name: 'Version 2' })).toContainText('Withdrawn')
  await expect(rows.getByRole('button', { name: 'Version 1' })).toContainText('Live')
  await expect(page.getByRole('button', { name: 'Run Version 2' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Restore Version 2' })).toBeVisible()
})

test('conflicting edits of two tabs are shown and merged node by node', async ({
  signedInPage: page,
  context,
  server,
  token,
  request,
}) => {
  const id = await createFlow(request, server.url, token, { name: 'Two', flow })
  const [mine, theirs] = [new Canvas(page), new Canvas(await context.newPage())]
  await mine.open(id)
  await theirs.open(id)
  await theirs.select('User prompt')
  await theirs.inspector.getByLabel('Prompt', { exact: true }).fill('Theirs')
  await theirs.page.keyboard.press('Control+s')
  await theirs.saved()

  await mine.select('Compose')
  await mine.inspector.getByLabel('Template', { exact: true }).fill('Mine {{it}}')
  const dialog = page.getByRole('dialog', { name: 'Edit conflict' })
  await expect(dialog).toBeVisible()
  await expect(dialog).toContainText('User prompt')
  await expect(dialog).toContainText('Compose')
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(dialog).toBeHidden()
  await mine.saved()
  const draft = await mine.draft(request, server.url, token, id)
  expect(draft.nodes.map((node) => node.settings)).toEqual([{ text: 'Theirs' }, { template: 'Mine {{it}}' }])
})

test('offline changes survive losing the page and are saved when online', async ({
  signedInPage: page,
  context,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { name: 'Lost', flow })
  await context.setOffline(true)
  await canvas.select('User prompt')
  await canvas.inspector.getByLabel('Prompt', { exact: true }).fill('Only here')
  await expect(page.getByText('Offline, saved in this browser')).toBeVisible()
  // A crash fires no pagehide event.
  await page.evaluate(() =>
    window.addEventListener('pagehide', (event) => event.stopImmediatePropagation(), { capture: true }),
  )
  await page.goto('about:blank')
  await context.setOffline(false)
  await canvas.open(id)
  await expect(canvas.card('User prompt')).toContainText('Only here')
  await canvas.saved()
  const draft = await canvas.draft(request, server.url, token, id)
  expect(draft.nodes[0]?.settings).toEqual({ text: 'Only here' })
})
