import { expect, keptTest as test } from '../fixtures'
import { Canvas, flowNode } from './canvas'
import { composeFlow, openNewFlow } from './flows'

test('a new note takes the cursor and shows Markdown, a double click adds a node, and another tab follows Publish', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow: composeFlow() })
  const other = new Canvas(await page.context().newPage())
  await other.open(id)
  await page.bringToFront()

  await page.getByRole('button', { name: 'Add a note' }).click()
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused()
  await page.keyboard.type('Use **brand** colors')
  await canvas.select('Compose')
  await expect(page.locator('.react-flow__node-note strong')).toHaveText('brand')

  await page.locator('.react-flow__pane').dblclick({ position: { x: 520, y: 620 } })
  const popover = page.getByRole('region', { name: 'Nodes' }).getByRole('searchbox').last()
  await expect(popover).toBeFocused()
  await page.keyboard.type('tts')
  await page.keyboard.press('Enter')
  await expect(canvas.card('Text to speech')).toBeVisible()
  await page.keyboard.press('Control+z')

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  for (const tab of [page, other.page])
    await expect(tab.locator('[data-region=actions]')).toContainText('Published')
  await expect(page.getByText('Draft is ahead of version 1')).toHaveCount(0)
  await canvas.select('Compose')
  await canvas.inspector.getByRole('textbox', { name: 'Node name' }).fill('Say it')
  await expect(page.getByText('Draft is ahead of version 1')).toBeVisible()
})

test('Enter adds no node that is only near the words, and leads to it', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas } = await openNewFlow({ page, server, token, request })
  await page.keyboard.press('/')
  await page.keyboard.type('speach')
  await expect(canvas.palette).toContainText('Did you mean')
  await page.keyboard.press('Enter')
  await expect(canvas.palette.getByRole('button', { name: 'Text to speech' })).toBeFocused()
  await expect(canvas.cards).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(canvas.card('Text to speech')).toBeVisible()

  await page.locator('.react-flow__pane').dblclick({ position: { x: 520, y: 720 } })
  await page.keyboard.type('voiceofer')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Text to speech' }).last()).toBeFocused()
  await expect(canvas.cards).toHaveCount(1)
})

test('an edge between ports of the same height stays straight when a card is selected or has a problem', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const flow = {
    nodes: [
      flowNode('ask', 'user_prompt', 0, 0, { text: 'A can' }),
      flowNode('paint', 'image_generation', 380, 0, { provider: 'local' }),
      flowNode('film', 'video_generation', 760, 0, { provider: 'fal' }),
    ],
    edges: [
      { from: 'ask.output', to: 'paint.prompt' },
      { from: 'paint.output', to: 'film.picture' },
    ],
  }
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const heights = () =>
    canvas.edges.evaluateAll((edges) =>
      edges.map((edge) => {
        const path = edge.querySelector<SVGPathElement>('.react-flow__edge-path')
        const at = (length: number) => Math.round(path?.getPointAtLength(length).y ?? Number.NaN)
        return [at(0), at(path?.getTotalLength() ?? 0)]
      }),
    )
  await expect(canvas.card('Video generation')).toContainText('needs a key')
  await canvas.select('Image generation')
  await canvas.select('Video generation')
  const steps = async () => (await heights()).map(([start = 0, end = 0]) => end - start)
  // A step of one row of ports.
  await expect.poll(steps).toEqual([0, 24])
})
