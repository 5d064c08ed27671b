import { expect, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

test('a card keeps its size when results, errors and selection arrive, and Tidy leaves no overlap', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const flow = {
    nodes: [
      flowNode('ask', 'user_prompt', 0, 0, { text: 'A frosted can on warm cedar. '.repeat(40) }),
      flowNode('say', 'compose', 0, 0, { template: 'Say {{it}}' }),
      flowNode('paint', 'image_generation', 0, 0, { provider: 'local', n_images: 2 }),
      flowNode('sheet', 'contact_sheet', 0, 0),
      flowNode('data', 'pick', 0, 0, { path: 'missing' }),
    ],
    edges: [
      { from: 'ask.output', to: 'say.it' },
      { from: 'ask.output', to: 'paint.prompt' },
      { from: 'paint.output', to: 'sheet.images' },
      { from: 'ask.output', to: 'data.data' },
    ],
  }
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow })
  await page.getByRole('button', { name: 'Tidy up' }).click()
  const sizes = () =>
    canvas.cards.evaluateAll((cards) =>
      cards.map((card) => [card.getAttribute('data-id'), (card as HTMLElement).offsetHeight]).sort(),
    )
  await expect.poll(() => canvas.overlaps()).toEqual([])
  const before = await sizes()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: /^Run 1/ })).toContainText('Failed')
  await expect(canvas.card('Contact sheet').locator('img')).toBeVisible()
  await expect(canvas.card('Image generation').locator('img')).toHaveCount(2)
  await canvas.select('User prompt')
  await expect.poll(sizes).toEqual(before)
  await expect.poll(() => canvas.overlaps()).toEqual([])
})

test('cards that would cover others since their node types have grown are moved down when the agent opens', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const nodes = [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'A can on cedar' }),
    flowNode('paint', 'image_generation', 0, 130, { provider: 'local', n_images: 1 }),
    flowNode('sheet', 'contact_sheet', 100, 300),
  ]
  const flow = { nodes, edges: [{ from: 'ask.output', to: 'paint.prompt' }] }
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
  await expect(canvas.cards).toHaveCount(3)
  await expect.poll(() => canvas.overlaps()).toEqual([])
  // Opening changes nothing that is stored, and there is nothing to undo.
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeDisabled()
  const stored = await canvas.draft(request, server.url, token, id)
  expect(stored.nodes).toMatchObject([{}, { position: { x: 0, y: 130 } }, { position: { x: 100, y: 300 } }])

  await canvas.select('User prompt')
  await canvas.inspector.getByLabel('Prompt', { exact: true }).fill('A cup on cedar')
  await canvas.save()
  await page.reload()
  await expect(canvas.cards).toHaveCount(3)
  await expect.poll(() => canvas.overlaps()).toEqual([])
})
