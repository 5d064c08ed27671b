import { expect, keptTest as test } from '../fixtures'
import { Canvas, flowNode } from './canvas'
import { openNewFlow } from './flows'

test('at the zoom that fits a dozen nodes the text on cards is legible, and no selected card is under the inspector', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const headers = { Authorization: `Bearer ${token}` }
  const flows = (await (await request.get(`${server.url}/api/v1/flows/`, { headers })).json()) as {
    id: string
    name: string
  }[]
  const kit = flows.find(({ name }) => name === 'Product Launch Kit')
  const copy = await request.post(`${server.url}/api/v1/flows/${kit?.id}/duplicate`, { headers })
  const canvas = new Canvas(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await canvas.open((await copy.json()).id)
  await expect(canvas.cards).toHaveCount(12)

  const sizesOnScreen = () =>
    canvas.cards.evaluateAll((cards) =>
      cards.flatMap((card) => {
        const zoom = card.getBoundingClientRect().width / (card as HTMLElement).offsetWidth
        const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT)
        const found: { text: string; size: number }[] = []
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const text = node.textContent?.trim()
          const element = node.parentElement
          if (!text || !element || element.closest('.sr-only')) continue
          found.push({ text, size: Number.parseFloat(getComputedStyle(element).fontSize) * zoom })
        }
        return found
      }),
    )
  const sizes = await sizesOnScreen()
  expect(sizes.length).toBeGreaterThan(40)
  expect(sizes.filter(({ size }) => size < 11.99)).toEqual([])

  const whole = await canvas.viewport()
  await canvas.select('Teaser')
  const panel = await canvas.inspector.boundingBox()
  await expect
    .poll(async () => {
      const box = await canvas.card('Teaser').boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 0)
    })
    .toBeLessThan(panel?.x ?? 0)

  // The view moves back when the inspector closes, unless it has been moved since.
  await page.keyboard.press('Escape')
  await expect.poll(() => canvas.viewport()).toEqual(whole)
  await canvas.select('Teaser')
  await expect.poll(() => canvas.viewport()).not.toEqual(whole)
  const aside = await canvas.viewport()
  await page.mouse.move(700, 760)
  await page.mouse.wheel(0, 60)
  await expect.poll(() => canvas.viewport()).not.toEqual(aside)
  const moved = await canvas.viewport()
  await page.keyboard.press('Escape')
  await expect(canvas.inspector.getByRole('heading', { name: 'Teaser' })).toBeHidden()
  expect(await canvas.viewport()).toEqual(moved)

  // During a zoom the canvas is scaled as a layer; at rest it is drawn again, with text of the right size.
  await expect(page.locator('[data-region=canvas]')).not.toHaveAttribute('data-moving')
  const layers = await page.locator('.react-flow__viewport').evaluateHandle((viewport) => {
    const seen: string[] = []
    const note = () => seen.push(getComputedStyle(viewport).willChange)
    const region = viewport.closest('[data-region=canvas]') as Element
    new MutationObserver(note).observe(region, { attributeFilter: ['data-moving'] })
    return seen
  })
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await expect.poll(() => layers.jsonValue()).toEqual(['transform', 'auto'])
  await page.mouse.wheel(0, 100)
  await expect.poll(() => layers.jsonValue()).toEqual(['transform', 'auto', 'transform', 'auto'])
  await page.keyboard.up('Control')
  expect((await sizesOnScreen()).filter(({ size }) => size < 11.99)).toEqual([])
})

test('the field of a selected card is as legible as its text, and the card keeps its size', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const nodes = [0, 1, 2, 3, 4].map((at) =>
    flowNode(`ask${at}`, 'user_prompt', 380 * at, 0, { text: 'A can' }),
  )
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow: { nodes } })
  const card = canvas.cards.first()
  const before = await card.evaluate((element) => (element as HTMLElement).offsetHeight)
  await card.getByText('A can').click()
  const field = card.getByRole('textbox')
  await expect(field).toBeVisible()
  const [size, zoom, after] = await card.evaluate((element) => [
    Number.parseFloat(getComputedStyle(element.querySelector('textarea') as Element).fontSize),
    element.getBoundingClientRect().width / (element as HTMLElement).offsetWidth,
    (element as HTMLElement).offsetHeight,
  ])
  expect(zoom).toBeLessThan(0.9)
  expect((size ?? 0) * (zoom ?? 0)).toBeGreaterThan(11.99)
  expect(after).toBe(before)
})
