import { expect, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

/** Too wide to be seen at once. */
const wideFlow = {
  nodes: Array.from({ length: 24 }, (_, at) =>
    flowNode(`n${at}`, 'user_prompt', at * 400, (at % 3) * 260, { text: `Prompt ${at}` }),
  ),
  edges: [],
}

test('the minimap shows where the view is, moves the canvas when dragged, zooms with the wheel, and can be put away', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  await openNewFlow({ page, server, token, request }, { name: 'Wide', flow: wideFlow })
  const map = page.getByRole('img', { name: 'Minimap' })
  await expect(map).toBeVisible()
  const firstCard = page.locator('.react-flow__node[data-id="n0"]')
  await expect(firstCard).toBeVisible()
  const lastCard = page.locator('.react-flow__node[data-id="n23"]')
  await expect(lastCard).toBeHidden()

  const box = await map.boundingBox()
  if (!box) throw new Error('The minimap has no box.')
  const height = box.y + box.height / 2
  await page.mouse.move(box.x + 16, height)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 12, height, { steps: 12 })
  await page.mouse.up()
  await expect(lastCard).toBeVisible()
  await expect(firstCard).toBeHidden()

  const viewport = page.locator('.react-flow__viewport')
  const zoom = () =>
    viewport.evaluate((element) => new DOMMatrixReadOnly(getComputedStyle(element).transform).a)
  const before = await zoom()
  await page.mouse.wheel(0, -240)
  await expect.poll(zoom).toBeGreaterThan(before * 1.2)

  const button = page.getByRole('button', { name: 'Minimap' })
  await button.click()
  await expect(map).toHaveCount(0)
  await button.click()
  await expect(map).toBeVisible()
})
