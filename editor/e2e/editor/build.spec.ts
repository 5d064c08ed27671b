import { expect, keptTest as test } from '../fixtures'
import { closeByEscape } from '../fixtures/dialogs'
import { Canvas, createFlow, flowNode, tabTo, typeInSearch } from './canvas'
import { holdRunEvents } from './flows'

test('an agent is built with the mouse, saved, run and published', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const id = await createFlow(request, server.url, token, { name: 'Poster' })
  const canvas = new Canvas(page)
  await canvas.open(id)
  await expect(page.getByRole('heading', { name: 'Empty canvas' })).toBeVisible()

  await canvas.drag('User prompt', 330, 240)
  await canvas.drag('Image generation', 700, 240)
  await canvas.drag('Text to speech', 700, 560)

  await canvas.connect(canvas.port('User prompt', 'Output'), canvas.port('Image generation', 'Prompt'))
  await expect(canvas.edges).toHaveCount(1)

  await canvas.connect(canvas.port('Image generation', 'Images'), canvas.port('Text to speech', 'Text'))
  const refusal = page.getByRole('alert').filter({
    hasText: 'Images of Image generation gives Images, but Text of Text to speech takes Text.',
  })
  await expect(refusal).toBeVisible()
  await expect(canvas.edges).toHaveCount(1)
  await refusal.getByRole('button', { name: 'Close' }).click()

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
  const release = await holdRunEvents(page)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Stop' })).toContainText('Running...')
  release()
  await expect(canvas.card('Image generation').locator('img')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByLabel('What changed? (optional)').fill('First cut')
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await expect(page.getByText('Version 1 is live').first()).toBeVisible()
  await expect(page.locator('[data-region=actions]')).toContainText('Published')
})

test('an agent is built, configured, run and published with the keyboard alone', async ({
  signedInPage: page,
}) => {
  test.slow()
  const canvas = new Canvas(page)
  const keys = page.keyboard
  await page.goto('/flow/')
  await expect(page.getByRole('tab', { name: 'Your Agents' })).toBeVisible()

  await tabTo(page, page.getByRole('button', { name: 'Create a new flow' }).first())
  await keys.press('Enter')
  const form = page.getByRole('dialog', { name: 'Create a new flow' })
  await expect(form.getByLabel('Name')).toBeFocused()
  await keys.type('Keys')
  await keys.press('Enter')
  await expect(page.getByRole('toolbar', { name: 'Agent' })).toBeVisible()

  await keys.press('/')
  await expect(canvas.palette.getByRole('searchbox')).toBeFocused()
  await keys.type('user prompt')
  await expect(canvas.palette.getByRole('status')).toHaveText('1 node found. Enter adds User prompt.')
  await keys.press('Enter')
  await expect(canvas.focused).toHaveAccessibleName(/^User prompt, .*selected$/)
  await keys.press('Tab')
  await expect(canvas.card('User prompt').getByLabel('Prompt', { exact: true })).toBeFocused()
  await keys.type('Cold brew')
  await keys.press('Tab')
  const output = canvas.port('User prompt', 'Output')
  await expect(output).toBeFocused()
  await expect(output).toHaveAccessibleName('Output: gives Text. Not connected. Press Enter to connect.')

  await keys.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Connect Output' })).toBeVisible()
  await typeInSearch(page, 'image generation')
  await keys.press('Enter')
  await expect(canvas.focused).toHaveAccessibleName(/^Image generation/)
  await expect(output).toHaveAccessibleName(/Connected to Prompt of Image generation\./)

  await keys.press('Control+k')
  await typeInSearch(page, 'add still to video')
  await keys.press('Enter')
  await expect(canvas.focused).toHaveAccessibleName(/^Still to video/)
  await keys.press('Control+z')
  await expect(canvas.cards).toHaveCount(2)
  await expect(canvas.focused).toHaveCount(1)
  await keys.press('/')
  await expect(canvas.palette.getByRole('searchbox')).toBeFocused()
  await keys.type('resize')
  await keys.press('Enter')
  await expect(canvas.focused).toHaveAccessibleName(/^Resize and crop/)
  await expect.poll(() => canvas.overlaps()).toEqual([])

  const image = canvas.port('Resize and crop', 'Image')
  await tabTo(page, image)
  await keys.press('Enter')
  await typeInSearch(page, 'user prompt output')
  await expect(page.getByRole('option', { name: /User prompt Output/ })).toContainText('Incompatible')
  await keys.press('Enter')
  const refusal = page.getByRole('dialog', { name: 'Connect Image' })
  await expect(refusal.getByRole('alert')).toContainText('Output of User prompt gives Text')
  await expect(refusal.getByRole('button', { name: 'Insert Image generation' })).toBeFocused()
  await tabTo(page, refusal.getByRole('button', { name: 'Back to the list' }))
  await keys.press('Enter')
  await typeInSearch(page, 'image generation images')
  await expect(page.getByRole('option', { name: /Image generation Images/ })).toContainText('Once per item')
  await keys.press('Enter')
  await expect(image).toBeFocused()
  await expect(image).toHaveAccessibleName(/Connected to Images of Image generation\./)
  await expect(canvas.announcement).toHaveText(
    'Images of Image generation connected to Image of Resize and crop.',
  )
  await keys.press('Delete')
  await expect(canvas.edges).toHaveCount(1)
  await keys.press('Control+z')
  await expect(canvas.edges).toHaveCount(2)
  await expect(image).toBeFocused()

  await keys.press('Escape')
  await expect(canvas.focused).toHaveAccessibleName(/^Resize and crop/)
  await keys.press('Control+k')
  await typeInSearch(page, 'tidy')
  await keys.press('Enter')
  await expect(canvas.focused).toHaveAccessibleName(/^Resize and crop/)
  await keys.press('Shift+Tab')
  await expect(canvas.focused).toHaveAccessibleName(/^Image generation/)
  await keys.press('Enter')
  await expect(canvas.inspector.getByLabel('Node name')).toHaveAttribute('placeholder', 'Image generation')
  const count = canvas.inspector.getByRole('slider').first()
  await tabTo(page, count)
  await keys.press('ArrowRight')
  await expect(count).toHaveAttribute('aria-valuenow', '2')
  await keys.press('Escape')
  await expect(canvas.focused).toHaveAccessibleName(/^Image generation/)

  await keys.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await closeByEscape(page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
  await expect(canvas.focused).toHaveAccessibleName(/^Image generation/)
  await keys.press('Control+s')
  await canvas.saved()

  await keys.press('Control+Enter')
  const run = page.getByRole('region', { name: 'Run 1' })
  await expect(run).toContainText('Finished')
  await expect(page.locator('p[aria-live=polite]')).toHaveText(/^Run 1: Finished, /)
  await expect(canvas.focused).toHaveAccessibleName(/^Image generation, Finished/)
  await expect(canvas.card('Resize and crop').locator('img').first()).toBeVisible()

  await keys.press('Control+k')
  await typeInSearch(page, 'publish')
  await keys.press('Enter')
  await expect(page.getByLabel('What changed? (optional)')).toBeVisible()
  await tabTo(page, page.getByLabel('What changed? (optional)'))
  await keys.type('Keyboard only')
  await tabTo(page, page.getByRole('button', { name: 'Publish version 1' }))
  await keys.press('Enter')
  await expect(page.getByText('Version 1 is live').first()).toBeVisible()
  await expect(canvas.focused).toHaveAccessibleName(/^Image generation/)
})

test('incompatible ports are dimmed, dropping on the canvas offers nodes, and a bridge node can be inserted', async ({
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
        flowNode('video', 'still_to_video', 420, 260),
      ],
    },
  })
  const canvas = new Canvas(page)
  await canvas.open(id)
  const [from, to] = [canvas.port('User prompt', 'Output'), canvas.port('Still to video', 'Image')]

  await from.hover()
  await page.mouse.down()
  await page.mouse.move(480, 600, { steps: 4 })
  await expect(to).toHaveClass(/dimmed/)
  await expect(canvas.port('Text to speech', 'Text')).toHaveClass(/fits/)
  await page.mouse.up()
  const popup = page.getByRole('region', { name: 'Nodes that take Text' })
  await expect(popup).toBeVisible()
  await expect(popup.getByRole('button', { name: 'Remove background' })).toHaveCount(0)
  await popup.getByRole('button', { name: 'Language model' }).click()
  await expect(canvas.edges).toHaveCount(1)
  await page.keyboard.press('Control+z')
  await expect(canvas.cards).toHaveCount(3)

  await canvas.connect(from, to)
  await page.getByRole('button', { name: 'Insert Image generation' }).click()
  await expect(canvas.edges).toHaveCount(2)
  await expect(canvas.card('Still to video')).toContainText('Runs once per item')
  await page.keyboard.press('Control+z')
  await expect(canvas.edges).toHaveCount(0)

  await canvas.connect(from, canvas.port('Text to speech', 'Text'))
  await expect(canvas.edges).toHaveCount(1)
  await canvas.hoverEdge(canvas.edges.first())
  await page.getByRole('button', { name: 'Remove this connection' }).click()
  await expect(canvas.edges).toHaveCount(0)
})

test('a node dropped on an edge is inserted; copies, groups and notes are saved', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const id = await createFlow(request, server.url, token, {
    flow: {
      nodes: [flowNode('ask', 'user_prompt', 0, 0), flowNode('say', 'text_to_speech', 380, 0)],
      edges: [{ from: 'ask.output', to: 'say.text' }],
    },
  })
  const canvas = new Canvas(page)
  await canvas.open(id)
  const { x, y } = await canvas.edgeCenter(canvas.edges.first())
  await canvas.drag('Language model', x, y)
  await expect(canvas.edges).toHaveCount(2)
  expect(await canvas.overlaps()).toEqual([])
  await page.keyboard.press('Control+z')
  await expect(canvas.edges).toHaveCount(1)
  await expect(canvas.cards).toHaveCount(2)
  await page.keyboard.press('Control+Shift+z')
  await expect(canvas.edges).toHaveCount(2)

  const beside = await canvas.card('User prompt').boundingBox()
  await page.mouse.dblclick((beside?.x ?? 0) + 20, (beside?.y ?? 0) - 30)
  await page.getByRole('region', { name: 'Nodes' }).getByRole('searchbox').last().fill('Whole number')
  await page.keyboard.press('Enter')
  await expect(canvas.cards).toHaveCount(4)
  expect(await canvas.overlaps()).toEqual([])
  await page.keyboard.press('Control+z')
  await expect(canvas.cards).toHaveCount(3)

  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar', { name: '3 selected' }).getByRole('button', { name: 'Group' }).click()
  await expect(page.getByRole('region', { name: 'Group Group' })).toBeVisible()
  await page.keyboard.press('Control+d')
  await expect(canvas.cards).toHaveCount(6)
  await page.getByRole('button', { name: 'Add a note' }).click()
  await canvas.save()
  const draft = await canvas.draft(request, server.url, token, id)
  expect(draft.edges).toHaveLength(4)
  expect(draft).toMatchObject({ canvas: { notes: [{}], groups: [{}, {}] } })
})
