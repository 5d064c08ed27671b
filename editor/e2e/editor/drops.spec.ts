import { expect, keptTest as test, toast } from '../fixtures'
import { closeByEscape } from '../fixtures/dialogs'
import { centerOf, flowNode, typeInSearch } from './canvas'
import { openNewFlow } from './flows'

const flow = {
  nodes: [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'A can' }),
    { ...flowNode('other', 'user_prompt', 0, 200, { text: 'A jar' }), title: 'Other prompt' },
    flowNode('count', 'whole_number', 0, 400, { value: 2 }),
    flowNode('paint', 'image_generation', 380, 60, { provider: 'local' }),
  ],
  edges: [{ from: 'ask.output', to: 'paint.prompt' }],
}

test('an edge drives a setting, and a drop on a card shows, asks and announces where it lands', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const edges = async () =>
    (await canvas.draft(request, server.url, token, id)).edges.map(({ from, to }) => `${from} ${to}`)
  const count = canvas.port('Whole number', 'Output')
  const driven = canvas.port('Image generation', 'Number of images')

  await test.step('dropping on the row of a setting', async () => {
    await canvas.select('Image generation')
    await canvas.connect(count, canvas.inspector.locator('[data-setting-drop="paint.n_images"]'))
    await expect(driven).toHaveAccessibleName(/Connected to Output of Whole number/)
    await expect(canvas.card('Image generation')).toContainText('Number of imagesWhole number')
    await expect(canvas.inspector.getByRole('button', { name: 'Driven by Whole number' })).toBeVisible()
    await expect.poll(edges).toContain('count.output paint.n_images')
    await page.keyboard.press('Control+z')
    await expect(driven).toHaveCount(0)
  })

  await test.step('the button of the setting, and the dialog by keyboard', async () => {
    await canvas.inspector.getByRole('button', { name: 'Drive Number of images by an edge' }).click()
    await typeInSearch(page, 'Whole number')
    await page.keyboard.press('Enter')
    await expect(driven).toBeVisible()
    await page.keyboard.press('Control+z')
    await count.focus()
    await page.keyboard.press('Enter')
    await typeInSearch(page, 'Number of images')
    await page.keyboard.press('Enter')
    await expect(driven).toBeVisible()
    await page.keyboard.press('Control+z')
    await expect(driven).toHaveCount(0)
  })

  await test.step('several ports and settings fit a drop on the card: it asks', async () => {
    await canvas.connect(count, canvas.card('Image generation'))
    const chooser = page.getByRole('dialog', { name: 'Connect to Image generation' })
    await expect(chooser.getByRole('button', { name: /Number of images.*Setting/ })).toBeVisible()
    await expect(chooser.getByRole('button', { name: /Prompt.*Replaces User prompt/ })).toBeVisible()
    const cut = await chooser
      .locator('button span')
      .evaluateAll((parts) =>
        parts.filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0),
      )
    expect(cut).toHaveLength(0)
    await closeByEscape(chooser)
  })

  await test.step('a replacement is shown before the release, announced after it, and can be undone', async () => {
    const [start, end] = [
      await centerOf(canvas.port('Other prompt', 'Output')),
      await centerOf(canvas.port('Image generation', 'Prompt')),
    ]
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 })
    await page.mouse.move(end.x, end.y, { steps: 4 })
    await page.mouse.move(end.x + 1, end.y)
    await expect(page.locator('[data-edge-drop=replaces]')).toHaveText(
      'Prompt of Image generation: replaces User prompt',
    )
    await page.mouse.up()
    const replaced = toast(page, 'Prompt of Image generation now takes Other prompt instead of User prompt.')
    // Hovering keeps the toast open.
    await replaced.hover()
    await replaced.getByRole('button', { name: 'Undo' }).click()
    await expect(canvas.port('Image generation', 'Prompt')).toHaveAccessibleName(
      /Connected to Output of User prompt/,
    )
  })
})

test('a new input that drives a setting starts with its value and choices, in one undo step', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const nodes = [flowNode('paint', 'image_generation', 0, 0, { provider: 'local', aspect_ratio: '4:5' })]
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow: { nodes, edges: [] } })
  await expect(canvas.card('Image generation')).toContainText('4:5')
  await canvas.select('Image generation')
  await canvas.inspector.getByRole('button', { name: 'Drive Aspect ratio by an edge' }).click()
  await typeInSearch(page, 'Choice')
  await page.keyboard.press('Enter')
  await expect(canvas.card('Choice')).toBeVisible()
  await expect(canvas.card('Image generation')).toContainText('Aspect ratioChoice')
  await canvas.saved()
  const choice = (await canvas.draft(request, server.url, token, id)).nodes.find(
    ({ type }) => type === 'choice',
  )
  expect(choice?.settings).toMatchObject({
    value: '4:5',
    options: expect.arrayContaining(['1:1', '4:5', '16:9']),
  })
  await page.keyboard.press('Control+z')
  await expect(canvas.cards).toHaveCount(1)
})
