import { expect, expectAccessibleInBothThemes, test } from '../fixtures'
import { Canvas, createFlow, flowNode } from './canvas'

const poster = {
  nodes: [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'A frosted can on warm cedar' }),
    flowNode('say', 'compose', 320, -200, { template: 'Say {{it}}' }),
    flowNode('paint', 'image_generation', 320, 60, { provider: 'local' }),
    flowNode('film', 'still_to_video', 640, 60, { duration: 8 }),
  ],
  edges: [
    { from: 'ask.output', to: 'say.it' },
    { from: 'ask.output', to: 'paint.prompt' },
    { from: 'paint.output', to: 'film.image' },
  ],
}

test('the editor is clean to axe in both themes, empty, full and in its dialogs', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  test.slow()
  const id = await createFlow(request, server.url, token, { name: 'Seen', flow: poster })
  const canvas = new Canvas(page)
  await canvas.open(id)
  await expect(canvas.cards).toHaveCount(4)
  await expectAccessibleInBothThemes(page)
  await canvas.select('Image generation')
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expectAccessibleInBothThemes(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'History' }).click()
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
  await expectAccessibleInBothThemes(page)
})

test('with reduced motion a change of theme is there at once, on every level of the page', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const id = await createFlow(request, server.url, token, { name: 'Still', flow: poster })
  const canvas = new Canvas(page)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await canvas.open(id)
  await canvas.select('Image generation')
  const moving = await page.evaluate(async () => {
    document.documentElement.dataset.theme = 'dark'
    await new Promise(requestAnimationFrame)
    return document.getAnimations().filter((one) => one instanceof CSSTransition).length
  })
  expect(moving).toBe(0)
})
