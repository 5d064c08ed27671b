import { expect, expectAccessibleInBothThemes, keptTest as test, toast } from '../fixtures'
import { Canvas, createFlow } from './canvas'
import { composeFlow, openNewFlow } from './flows'

const flow = composeFlow({ text: 'a frosted can', distance: 320 })

test('the address opens its run, also after a reload', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas } = await openNewFlow({ page, server, token, request }, { name: 'Words', flow })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')
  await expect(page).toHaveURL(/\?run=/)
  const first = page.url()

  await canvas.select('Compose')
  await canvas.inspector.getByRole('textbox', { name: 'Template' }).fill('Sing {{it}}')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Run 2' })).toContainText('Finished')
  await expect(canvas.card('Compose')).toContainText('Sing a frosted can')

  await expect(page.getByText('The canvas has changed since this run.')).toHaveCount(0)

  await page.goto(first)
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('The canvas has changed')
  await expect(canvas.card('Compose')).toContainText('Say a frosted can')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Run 1' })).toBeVisible()
  await expect(canvas.card('Compose')).toContainText('Say a frosted can')

  await page.getByRole('button', { name: 'Hide run' }).click()
  await expect(page).not.toHaveURL(/\?run=/)
})

test('a run of another agent is not shown, with a message', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const one = await createFlow(request, server.url, token, { name: 'One', flow })
  const other = await createFlow(request, server.url, token, { name: 'Other', flow })
  const canvas = new Canvas(page)
  await canvas.open(one)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page).toHaveURL(/\?run=/)
  await page.goto(page.url().replace(one, other))
  await toast(page, 'This run belongs to another agent').waitFor()
  await expect(page).not.toHaveURL(/\?run=/)
  await expect(page.getByRole('region', { name: /^Run \d/ })).toHaveCount(0)
})

test('all runs of the agent are listed, navigated with arrow keys and opened with Enter', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const id = await createFlow(request, server.url, token, { name: 'Many', flow })
  const canvas = new Canvas(page)
  for (let count = 0; count < 21; count += 1) {
    const response = await request.post(`${server.url}/api/v1/flows/${id}/runs`, {
      headers: { Authorization: `Bearer ${token}` },
      data: { inputs: {}, version: 'draft' },
    })
    expect(response.status()).toBe(202)
  }
  const finishedRuns = async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const url = `${server.url}/api/v1/runs/?flow_id=${id}&status=finished&limit=50`
    return (await (await request.get(url, { headers })).json()).items.length
  }
  await expect.poll(finishedRuns).toBe(21)
  await canvas.open(id)
  await page.getByRole('button', { name: 'Run options' }).click()
  await page.getByRole('button', { name: 'All runs' }).click()
  const list = page.getByRole('list', { name: 'Past runs' })
  await expect(list.getByRole('button')).toHaveCount(20)
  await expect(list.getByRole('button').first()).toHaveAccessibleName(/^Run 21, .+, draft, .+\$0\.00$/)
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Show earlier runs' }).click()
  await expect(list.getByRole('button')).toHaveCount(21)

  await list.getByRole('button').first().focus()
  await page.keyboard.press('End')
  await expect(list.getByRole('button', { name: /^Run 1,/ })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Run 2', exact: true })).toBeVisible()
  await expect(list).toBeHidden()
})
