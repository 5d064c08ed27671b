import { expect, expectAccessibleInBothThemes, keptTest as test } from '../fixtures'
import { composeFlow, openNewFlow } from './flows'

const flow = composeFlow({ distance: 400 })

test('the history marks changed nodes, restores a version, and withdraws the live one after a question', async ({
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
  await canvas.drag('Text to speech', 640, 640)
  await canvas.saved()

  await test.step('added, removed and changed nodes are marked', async () => {
    await page.getByRole('button', { name: 'History' }).click()
    await expect(page.getByText('1 added, 1 changed since Version 1')).toBeVisible()
    await expect(page.getByRole('article', { name: 'Text to speech: Added' })).toBeVisible()
    const changed = page.getByRole('article', { name: 'Compose: Changed' })
    await expect(changed.locator('del')).toHaveText('Say {{it}}')
    await expect(changed.locator('ins')).toHaveText('Shout {{it}}')
    await expect(page.getByRole('article', { name: 'User prompt: Unchanged' })).toBeVisible()
  })

  await test.step('a version is restored', async () => {
    await page.getByRole('button', { name: 'Restore Version 1' }).click()
    await expect(page.getByText('Restored Version 1 as the draft', { exact: true })).toBeVisible()
    await expect(canvas.cards).toHaveCount(2)
    const draft = await canvas.draft(request, server.url, token, id)
    expect(draft.nodes[1]?.settings).toEqual({ template: 'Say {{it}}' })
  })

  await test.step('a version is withdrawn, and the one before it is live again', async () => {
    await publish()
    await page.reload()
    await page.getByRole('button', { name: 'History' }).click()
    const rows = page.getByRole('region', { name: 'History', exact: true })
    await rows.getByRole('button', { name: 'Version 2' }).click()
    await page.getByRole('button', { name: 'Withdraw Version 2' }).click()
    const dialog = page.getByRole('dialog', { name: 'Withdraw Version 2?' })
    await expect(dialog).toContainText('It can no longer be launched')
    await expectAccessibleInBothThemes(page, '[role=dialog]')
    await dialog.getByRole('button', { name: 'Withdraw Version 2' }).click()
    await expect(dialog).toBeHidden()
    await expect(rows.getByRole('button', { name: 'Version 2' })).toContainText('Withdrawn')
    await expect(rows.getByRole('button', { name: 'Version 1' })).toContainText('Live')
    await expect(page.getByRole('button', { name: 'Run Version 2' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'Restore Version 2' })).toBeVisible()
  })
})

test('offline changes survive losing the page and are saved when online', { tag: '@thorough' }, async ({
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
