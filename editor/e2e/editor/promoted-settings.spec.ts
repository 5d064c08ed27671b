import type { Locator } from '@playwright/test'
import { expect, expectAccessibleInBothThemes, keptTest as test } from '../fixtures'
import { centerOf, flowNode } from './canvas'
import { openNewFlow } from './flows'

test('settings of nodes that become an agent stay controls of its node, in the order and with the names chosen', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const paint = {
    ...flowNode('paint', 'image_generation', 420, 0),
    title: 'Hero',
    exposed: { n_images: { label: 'Pictures', maximum: 4 } },
  }
  const { canvas, id } = await openNewFlow(
    { page, server, token, request },
    {
      name: 'Studio',
      flow: {
        nodes: [flowNode('ask', 'user_prompt', 0, 0, { text: 'a lamp' }), paint],
        edges: [{ from: 'ask.output', to: 'paint.prompt' }],
      },
    },
  )
  const draft = () => canvas.draft(request, server.url, token, id)
  const use = async () => {
    const found = (await draft()).nodes.find(({ type }) => type === 'agent')
    return found as unknown as { settings: object; exposed: Record<string, { order: number }> }
  }
  const dialog = page.getByRole('dialog', { name: 'Make an agent' })
  const offered = dialog.getByRole('list', { name: 'Settings that it offers' })

  await test.step('what launchers could set is chosen, and more can be', async () => {
    await canvas.select('Hero')
    await canvas.card('Hero').focus()
    await page.keyboard.press('a')
    await expect(offered.getByRole('textbox')).toHaveValue('Pictures')
    await dialog.getByRole('combobox', { name: 'Add a setting' }).click()
    await page.getByRole('option', { name: /Aspect ratio/ }).click()
    await expect(offered.getByRole('listitem')).toHaveCount(2)
    await offered.getByRole('textbox').nth(1).fill('Shape')
    await offered.getByRole('button', { name: 'Move Shape with the arrow keys' }).focus()
    await page.keyboard.press('ArrowUp')
    await expect(offered.getByRole('textbox').first()).toHaveValue('Shape')
    await expect(dialog.getByRole('status')).toHaveText('Shape is now 1 of 2')
    await expectAccessibleInBothThemes(page, '[role=dialog]')
    await dialog.getByLabel('Name of the agent').fill('Painter')
    await page.keyboard.press('Enter')
    await expect(canvas.card('Painter')).toBeVisible()
  })

  const inspector = page.getByRole('region', { name: 'Inspector' })
  await test.step('the node has their controls, in that order', async () => {
    const pictures = inspector.getByRole('spinbutton', { name: 'Pictures' })
    await expect(pictures).toBeVisible()
    await pictures.fill('3')
    await pictures.blur()
    await canvas.save()
    expect((await use()).settings).toMatchObject({ inputs: { 'paint.n_images': 3 } })
    const labels = await inspector.getByText(/^(Shape|Pictures)$/).allTextContents()
    expect(labels).toEqual(['Shape', 'Pictures'])
    await expectAccessibleInBothThemes(page, '[data-region=inspector]')
  })

  await test.step('launchers of the outer agent set what they could set before', async () => {
    const found = await request.get(`${server.url}/api/v1/flows/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { properties } = (await found.json()).inputs
    expect(Object.keys(properties)).toEqual(['ask', 'Painter.paint.n_images'])
    expect(properties['Painter.paint.n_images']).toMatchObject({ title: 'Pictures', maximum: 4, default: 3 })
  })

  await test.step('offering one more, and ordering them', async () => {
    await inspector.getByRole('button', { name: 'Make Shape an input of the agent' }).click()
    const rightOf = async (part: Locator) => {
      const box = await part.boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 0)
    }
    const form = inspector.getByRole('group', { name: /Shape/ })
    const hide = inspector.getByRole('button', { name: 'Hide from launchers' }).first()
    await expect.poll(async () => (await rightOf(form)) - (await rightOf(hide))).toBeGreaterThan(0)
    await inspector.getByRole('button', { name: 'Names and order' }).first().click()
    const order = page.getByRole('dialog', { name: 'Settings for launchers' })
    await expect(order.getByRole('listitem')).toHaveCount(2)
    const grip = order.getByRole('button', { name: /^Move Painter|^Move .*Shape/ })
    // Hovering waits until the dialog stands still.
    await grip.hover()
    const to = await order.getByRole('listitem').first().boundingBox()
    if (!to) throw new Error('The rows are not on the page.')
    await page.mouse.down()
    await page.mouse.move(to.x + 20, to.y + 4, { steps: 5 })
    await page.mouse.up()
    await expect(order.getByRole('textbox').first()).toHaveAttribute('placeholder', 'Hero: Shape')
    await expectAccessibleInBothThemes(page, '[role=dialog]')
    await page.keyboard.press('Escape')
    await canvas.save()
    const { exposed } = await use()
    expect(exposed['paint.aspect_ratio']?.order).toBe(0)
    expect(exposed['paint.n_images']?.order).toBe(1)
  })

  await test.step('Customize has them in that order, beside the name of the node', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const published = await request.post(`${server.url}/api/v1/flows/${id}/publish`, { data: {}, headers })
    expect(published.status(), await published.text()).toBe(200)
    await page.goto(`/?agent=${id}`)
    await page.getByRole('button', { name: 'Customize' }).click()
    const row = page.getByRole('region', { name: 'Customize' }).getByRole('group', { name: 'Painter' })
    await expect(row.getByText(/^(Shape|Pictures)$/)).toHaveText(['Shape', 'Pictures'])
    const { y: name } = await centerOf(row.getByText('Painter', { exact: true }))
    const { y: choices } = await centerOf(row.getByRole('radio').first())
    expect(Math.abs(name - choices)).toBeLessThan(12)
    await expectAccessibleInBothThemes(page, 'main')
  })
})
