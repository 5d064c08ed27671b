import type { Page } from '@playwright/test'
import { expect, expectAccessibleInBothThemes, keptTest as test, toast } from '../fixtures'
import { closeByEscape } from '../fixtures/dialogs'
import { centerOf, typeInSearch } from './canvas'
import { composeFlow, openNewFlow } from './flows'

const item = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })

test('the context menu acts on a card and the canvas, by mouse and keyboard', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow: composeFlow() })
  const prompt = canvas.port('Language model', 'Prompt')

  await test.step('a card: swap its type, keeping the connection that fits', async () => {
    await canvas.card('Compose').getByRole('heading').click({ button: 'right' })
    await expect(page.getByRole('menu', { name: 'Compose' })).toBeVisible()
    await expectAccessibleInBothThemes(page, '[role=menu]')
    await item(page, 'Swap for another node').click()
    await typeInSearch(page, 'Language model')
    await page.keyboard.press('Enter')
    await expect(canvas.card('Language model')).toBeFocused()
    await expect(prompt).toHaveAccessibleName(/Connected to Output of User prompt/)
    await page.keyboard.press('Control+z')
    await expect(canvas.card('Compose')).toBeVisible()
  })

  await test.step('a card by keyboard: the menu opens by its key, and returns the focus', async () => {
    await canvas.card('User prompt').focus()
    await page.keyboard.press('Shift+F10')
    await expect(page.getByRole('menu', { name: 'User prompt' })).toBeVisible()
    await expect(item(page, /Run to here/)).toBeFocused()
    await closeByEscape(page.getByRole('menu'))
    await expect(canvas.card('User prompt')).toBeFocused()
    await page.keyboard.press('b')
    const refusal = 'This node has no inputs to pass on, so it cannot be bypassed.'
    await expect(toast(page, refusal)).toBeVisible()
    await page.keyboard.press('m')
    await expect(item(page, /Run to here/)).toBeFocused()
    await expect(item(page, /^Bypass/)).toContainText(refusal)
    await expect(item(page, /^Bypass/)).toBeDisabled()
    await item(page, 'Add a node after this').press('Enter')
    await expect(page.getByRole('searchbox', { name: 'Add a node' }).last()).toBeFocused()
    await page.keyboard.type('language model')
    await page.keyboard.press('Enter')
    await expect(prompt).toHaveAccessibleName(/Connected to Output of User prompt/)
    await page.keyboard.press('Control+z')
  })

  await test.step('the canvas: find a node', async () => {
    await page.mouse.click(700, 640, { button: 'right' })
    await item(page, /Find on the canvas/).click()
    await typeInSearch(page, 'cold brew')
    await page.keyboard.press('Enter')
    await expect(canvas.card('User prompt')).toBeFocused()
  })
})

test('the context menu acts on a port, an edge and a selection, and a node is added to the selected one', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow: composeFlow() })
  const prompt = canvas.port('Language model', 'Prompt')

  await test.step('a port: disconnect', async () => {
    await canvas.port('Compose', 'it').click({ button: 'right' })
    await item(page, 'Disconnect').click()
    await expect(canvas.edges).toHaveCount(0)
    await page.keyboard.press('Control+z')
    await expect(canvas.edges).toHaveCount(1)
  })

  await test.step('an edge: insert a node, remove', async () => {
    const at = await canvas.edgeCenter(canvas.edges)
    await page.mouse.click(at.x, at.y, { button: 'right' })
    await expect(item(page, 'Go to Compose')).toBeVisible()
    await item(page, 'Insert a node into a connection').click()
    await typeInSearch(page, 'Language model')
    await page.keyboard.press('Enter')
    await expect(prompt).toHaveAccessibleName(/Connected to Output of User prompt/)
    await expect(canvas.port('Compose', 'it')).toHaveAccessibleName(/Connected to .* of Language model/)
    await page.keyboard.press('Control+z')
  })

  await test.step('several cards: align', async () => {
    await page.keyboard.press('Control+a')
    await canvas.card('Compose').getByRole('heading').click({ button: 'right' })
    await expect(page.getByRole('menu', { name: '2 selected' })).toBeVisible()
    await item(page, 'Align left').click()
    await expect
      .poll(async () => {
        const boxes = await Promise.all((await canvas.cards.all()).map((card) => card.boundingBox()))
        return new Set(boxes.map((box) => Math.round(box?.x ?? 0))).size
      })
      .toBe(1)
    await page.keyboard.press('Control+z')
  })

  await test.step('adding with a node selected connects it, as one undo step', async () => {
    await canvas.select('User prompt')
    await page.keyboard.press('/')
    await expect(canvas.palette.getByRole('searchbox')).toBeFocused()
    await page.keyboard.type('language model')
    await page.keyboard.press('Enter')
    await expect(prompt).toHaveAccessibleName(/Connected to Output of User prompt/)
    const [left, right] = [
      await centerOf(canvas.card('User prompt')),
      await centerOf(canvas.card('Language model')),
    ]
    expect(right.x).toBeGreaterThan(left.x)
    await page.keyboard.press('Control+z')
    await expect(canvas.card('Language model')).toHaveCount(0)
  })
})

test('a menu whose code does not load keeps the canvas, and can be tried again', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  await page.route('**/assets/panels-on-demand-*.js', (route) => route.abort())
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow: composeFlow() })
  await canvas.card('Compose').getByRole('heading').click({ button: 'right' })
  await expect(toast(page, 'This part could not be loaded')).toBeVisible()
  await expect(canvas.card('Compose')).toBeVisible()
  await page.unroute('**/assets/panels-on-demand-*.js')
  await toast(page, 'This part could not be loaded').getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('menu', { name: 'Compose' })).toBeVisible()
})
