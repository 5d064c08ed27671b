import { expect, expectAccessibleInBothThemes, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { heldFlow, imagesFlow, mediaFlow, openNewFlow } from './flows'

const media = mediaFlow()

test('axe finds no violations in the editor, its panels and its dialogs', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const holes = { ...media, nodes: [...media.nodes, flowNode('empty', 'image_generation', 320, 480)] }
  const { canvas } = await openNewFlow({ page, server, token, request }, { name: 'Seen', flow: holes })
  await expect(canvas.cards).toHaveCount(5)
  const dialog = page.getByRole('dialog')

  await test.step('the editor', () => expectAccessibleInBothThemes(page))
  await test.step('a theme change starts no transitions with reduced motion', async () => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await canvas.select('User prompt')
    const transitions = await page.evaluate(async () => {
      const { theme } = document.documentElement.dataset
      document.documentElement.dataset.theme = 'dark'
      await new Promise(requestAnimationFrame)
      const started = document.getAnimations().filter((one) => one instanceof CSSTransition).length
      document.documentElement.dataset.theme = theme
      return started
    })
    expect(transitions).toBe(0)
  })
  await test.step('the inspector', async () => {
    await expectAccessibleInBothThemes(page, '[data-region=inspector]')
    await page.keyboard.press('Escape')
  })
  for (const [name, open] of [
    ['Commands', () => page.keyboard.press('Control+k')],
    ['Publish', () => page.getByRole('button', { name: 'Publish' }).click()],
    ['Keyboard shortcuts', () => page.getByRole('button', { name: 'Keyboard shortcuts' }).click()],
  ] as const) {
    await test.step(name, async () => {
      await open()
      await expect(page.getByRole('dialog', { name })).toBeVisible()
      await expectAccessibleInBothThemes(page, '[role=dialog]')
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    })
  }
  await test.step('problems and run options', async () => {
    await page.getByRole('button', { name: '1 problem' }).click()
    await expect(page.getByRole('region', { name: 'Problems' })).toBeVisible()
    await expectAccessibleInBothThemes(page, '[data-region=problems]')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Run options' }).click()
    const options = page.getByRole('dialog').filter({ hasText: 'Spend at most' })
    await expect(options).toBeVisible()
    await expectAccessibleInBothThemes(page, '[role=dialog]')
    await page.keyboard.press('Escape')
  })
  await test.step('the history', async () => {
    await page.getByRole('button', { name: 'History' }).click()
    await expect(page.getByRole('heading', { name: 'History', exact: true })).toBeVisible()
    await expectAccessibleInBothThemes(page)
  })
})

test('axe finds no violations in a running and a failed run with its timeline', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
  model: _,
}) => {
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
  await expectAccessibleInBothThemes(page, '.react-flow')
  await expectAccessibleInBothThemes(page, '[data-region=run]')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('button', { name: 'Try again', exact: true })).toBeVisible()
  await canvas.select('Pick from data')
  await page.getByRole('tab', { name: 'Result' }).click()
  await expectAccessibleInBothThemes(page, '[data-region=inspector]')
})
