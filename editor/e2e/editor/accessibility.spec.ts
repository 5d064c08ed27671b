import { expect, expectAccessibleInBothThemes, test } from '../fixtures'
import { Canvas, createFlow, flowNode } from './canvas'
import { heldFlow, imagesFlow, mediaFlow, openNewFlow } from './flows'

const media = mediaFlow()

test('axe finds no violations in the editor, its inspector, commands and history', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  test.slow()
  const { canvas } = await openNewFlow({ page, server, token, request }, { name: 'Seen', flow: media })
  await expect(canvas.cards).toHaveCount(4)
  await expectAccessibleInBothThemes(page)
  await canvas.select('Image generation')
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'History' }).click()
  await expect(page.getByRole('heading', { name: 'History', exact: true })).toBeVisible()
  await expectAccessibleInBothThemes(page)
})

test('axe finds no violations in the dialogs: problems, publish, shortcuts and run options', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  test.slow()
  const holes = { nodes: [flowNode('paint', 'image_generation', 0, 0)] }
  await openNewFlow({ page, server, token, request }, { name: 'Holes', flow: holes })
  await page.getByRole('button', { name: '1 problem' }).click()
  await expect(page.getByRole('region', { name: 'Problems' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByRole('dialog', { name: 'Publish' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Run options' }).click()
  await expect(page.getByText('Spend at most')).toBeVisible()
  await expectAccessibleInBothThemes(page)
})

test('axe finds no violations in a running and a failed run with its timeline', async ({
  signedInPage: page,
  server,
  token,
  request,
  model: _,
}) => {
  test.slow()
  const { nodes, edges } = heldFlow(imagesFlow)
  const flow = {
    nodes: [...nodes, flowNode('pick', 'pick', 640, -200, { path: 'a' })],
    edges: [...edges, { from: 'say.output', to: 'pick.data' }],
  }
  const { canvas } = await openNewFlow({ page, server, token, request }, { name: 'Shown', flow })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(
    canvas.card('Pick from data').getByRole('button', { name: 'Try again from here' }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await page.getByRole('button', { name: 'Expand timeline' }).click()
  await expectAccessibleInBothThemes(page)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('button', { name: 'Try again', exact: true })).toBeVisible()
  await canvas.select('Pick from data')
  await page.getByRole('tab', { name: 'Result' }).click()
  await expectAccessibleInBothThemes(page)
})

test('axe finds no violations in the edit conflict dialog', async ({
  signedInPage: page,
  context,
  server,
  token,
  request,
}) => {
  const id = await createFlow(request, server.url, token, { name: 'Sides', flow: media })
  const [mine, theirs] = [new Canvas(page), new Canvas(await context.newPage())]
  await mine.open(id)
  await theirs.open(id)
  await theirs.select('User prompt')
  await theirs.inspector.getByLabel('Prompt', { exact: true }).fill('Theirs')
  await theirs.page.keyboard.press('Control+s')
  await theirs.saved()
  await mine.select('User prompt')
  await mine.inspector.getByLabel('Prompt', { exact: true }).fill('Mine')
  await expect(page.getByRole('dialog', { name: 'Edit conflict' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
})

test('with reduced motion a theme change starts no transitions', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const id = await createFlow(request, server.url, token, { name: 'Still', flow: media })
  const canvas = new Canvas(page)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await canvas.open(id)
  await canvas.select('Image generation')
  const transitions = await page.evaluate(async () => {
    document.documentElement.dataset.theme = 'dark'
    await new Promise(requestAnimationFrame)
    return document.getAnimations().filter((one) => one instanceof CSSTransition).length
  })
  expect(transitions).toBe(0)
})
