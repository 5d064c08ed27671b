import { expect, test } from '../fixtures'
import { Canvas, createFlow, flowNode } from './canvas'

test('somebody else’s agent is seen, launched and duplicated, not edited', async ({
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
  const before = await canvas.cards.count()
  await canvas.cards.first().click()
  await page.keyboard.press('Delete')
  await expect(canvas.cards).toHaveCount(before)
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect(page).not.toHaveURL(new RegExp(kit.id))
  await expect(canvas.palette).toBeVisible()
})

for (const width of [390, 768, 1024, 1440]) {
  test(`at ${width} px everything has room`, async ({ signedInPage: page, server, token, request }) => {
    await page.setViewportSize({ width, height: 844 })
    const id = await createFlow(request, server.url, token, {
      name: 'Sizes',
      flow: { nodes: [flowNode('ask', 'user_prompt', 0, 0, { text: 'Cold brew' })] },
    })
    const canvas = new Canvas(page)
    await canvas.open(id)
    await expect(canvas.card('User prompt')).toBeInViewport()
    await expect(canvas.palette).toHaveCount(width >= 1024 ? 1 : 0)
    await expect(page.getByRole('button', { name: 'Add a node' })).toHaveCount(width >= 1024 ? 0 : 1)
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeInViewport()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })
}
