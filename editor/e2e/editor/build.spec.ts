import { expect, test } from '../fixtures'
import { Canvas, createFlow, flowNode } from './canvas'

test('an agent is built by mouse, saved, run live and published', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const id = await createFlow(request, server.url, token, { name: 'Poster' })
  const canvas = new Canvas(page)
  await canvas.open(id)
  await expect(page.getByRole('heading', { name: 'An empty canvas' })).toBeVisible()

  await canvas.drag('User prompt', 330, 240)
  await canvas.drag('Image generation', 700, 240)
  await canvas.drag('Text to speech', 700, 560)

  await canvas.connect(canvas.port('User prompt', 'Output'), canvas.port('Image generation', 'Prompt'))
  await expect(canvas.edges).toHaveCount(1)

  await canvas.connect(canvas.port('Image generation', 'Images'), canvas.port('Text to speech', 'Text'))
  await expect(page.getByRole('alert')).toContainText(
    'Images of Image generation gives a list of Image, but Text of Text to speech takes Text.',
  )
  await expect(canvas.edges).toHaveCount(1)
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()

  await canvas.select('Text to speech')
  await page.keyboard.press('Delete')
  await expect(canvas.cards).toHaveCount(2)

  await canvas.select('User prompt')
  await canvas.inspector.getByLabel('Prompt', { exact: true }).fill('A frosted can on warm cedar')
  await canvas.select('Image generation')
  await canvas.inspector.getByRole('radio', { name: '4:5' }).click()
  await canvas.saved()
  const draft = await canvas.draft(request, server.url, token, id)
  expect(draft.nodes.map((node) => node.settings)).toEqual([
    { text: 'A frosted can on warm cedar' },
    { aspect_ratio: '4:5' },
  ])

  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Stop' })).toContainText('Running...')
  await expect(canvas.card('Image generation').locator('img')).toBeVisible({ timeout: 45_000 })
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByLabel('What changed? (optional)').fill('First cut')
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await expect(page.getByText('Version 1 is live').first()).toBeVisible()
  await expect(page.getByText('Published')).toBeVisible()
})

test('an agent is built wholly by keyboard', async ({ signedInPage: page, server, token, request }) => {
  const id = await createFlow(request, server.url, token, { name: 'Keys' })
  const canvas = new Canvas(page)
  await canvas.open(id)
  await page.keyboard.press('/')
  await page.keyboard.type('user prompt')
  await page.keyboard.press('Enter')
  await expect(canvas.card('User prompt')).toBeVisible()
  await expect(page.locator('.react-flow__node:focus')).toContainText('User prompt')

  await page.keyboard.press('Tab')
  const inline = canvas.card('User prompt').getByLabel('Prompt', { exact: true })
  await expect(inline).toBeFocused()
  await page.keyboard.type('Cold brew')
  await page.keyboard.press('Tab')
  await expect(canvas.port('User prompt', 'Output')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type('compose')
  await page.keyboard.press('Enter')
  await expect(canvas.card('Compose')).toBeVisible()

  await page.keyboard.press('Control+z')
  await expect(canvas.cards).toHaveCount(1)
  await page.keyboard.press('Control+Shift+z')
  await expect(canvas.cards).toHaveCount(2)

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('tidy')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+s')
  await canvas.saved()
  const draft = await canvas.draft(request, server.url, token, id)
  expect(draft.nodes[0]?.settings).toEqual({ text: 'Cold brew' })
})

test('connecting: what cannot take it is dimmed, the empty canvas offers what fits, a bridge mends', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const id = await createFlow(request, server.url, token, {
    flow: {
      nodes: [
        flowNode('ask', 'user_prompt', 0, 0),
        flowNode('say', 'text_to_speech', 420, 0),
        flowNode('film', 'still_to_video', 420, 260),
      ],
    },
  })
  const canvas = new Canvas(page)
  await canvas.open(id)
  const [from, to] = [canvas.port('User prompt', 'Output'), canvas.port('Still to video', 'Image')]

  await from.hover()
  await page.mouse.down()
  await page.mouse.move(640, 740, { steps: 4 })
  await expect(to).toHaveClass(/dimmed/)
  await expect(canvas.port('Text to speech', 'Text')).toHaveClass(/fits/)
  await page.mouse.up()
  const popup = page.getByRole('region', { name: 'What takes Text' })
  await expect(popup).toBeVisible()
  await expect(popup.getByRole('button', { name: 'Remove background' })).toHaveCount(0)
  await popup.getByRole('button', { name: 'Language model' }).click()
  await expect(canvas.edges).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await expect(canvas.cards).toHaveCount(3)

  await canvas.connect(from, to)
  await page.getByRole('button', { name: 'Put Image generation between' }).click()
  await expect(canvas.edges).toHaveCount(2)
  await expect(canvas.card('Still to video')).toContainText('Runs once per item')
  await page.keyboard.press('Control+z')
  await expect(canvas.edges).toHaveCount(0)

  await canvas.connect(from, canvas.port('Text to speech', 'Text'))
  await expect(canvas.edges).toHaveCount(1)
  await canvas.point(canvas.edges.first())
  await page.getByRole('button', { name: 'Remove this connection' }).click()
  await expect(canvas.edges).toHaveCount(0)
})

test('a node let go on an edge is set into it; copies, groups and notes are kept', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const id = await createFlow(request, server.url, token, {
    flow: {
      nodes: [flowNode('ask', 'user_prompt', 0, 0), flowNode('say', 'text_to_speech', 700, 0)],
      edges: [{ from: 'ask.output', to: 'say.text' }],
    },
  })
  const canvas = new Canvas(page)
  await canvas.open(id)
  const { x, y } = await canvas.onEdge(canvas.edges.first())
  await canvas.drag('Language model', x, y)
  await expect(canvas.edges).toHaveCount(2)

  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar', { name: '3 selected' }).getByRole('button', { name: 'Group' }).click()
  await expect(page.getByRole('region', { name: 'Group Group' })).toBeVisible()
  await page.keyboard.press('Control+d')
  await expect(canvas.cards).toHaveCount(6)
  await page.getByRole('button', { name: 'Add a note' }).click()
  await canvas.saved()
  const draft = await canvas.draft(request, server.url, token, id)
  expect(draft.edges).toHaveLength(4)
  expect(draft).toMatchObject({ canvas: { notes: [{}], groups: [{}, {}] } })
})
