import { expect, expectAccessibleInBothThemes, expectNoHorizontalScroll, test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

const flow = {
  nodes: [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'A frosted can on warm cedar' }),
    { ...flowNode('say', 'compose', 320, 0, { template: 'Photo: {{it}}' }), title: 'Say' },
    { ...flowNode('paint', 'image_generation', 640, 0, { provider: 'local', seed: 7 }), title: 'Paint' },
  ],
  edges: [
    { from: 'ask.output', to: 'say.it' },
    { from: 'say.output', to: 'paint.prompt' },
  ],
}

test('three variants of a node run side by side, one is kept, and the next run reuses its result', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const paint = canvas.card('Paint')
  const variant = (letter: string) => page.getByRole('region', { name: `Variant ${letter}` })

  await test.step('set up three variants by the context menu', async () => {
    await paint.getByRole('heading').click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Compare settings/ }).click()
    const setup = page.getByRole('dialog', { name: 'Compare settings of Paint' })
    await expect(setup).toBeVisible()
    await setup.getByRole('button', { name: 'Other seeds' }).click()
    await expect(variant('C')).toBeVisible()
    await expect(setup.getByRole('button', { name: 'Run 3 variants' })).toBeEnabled()
    await expect(setup).toContainText('No cost')
    if (process.env.SHOTS) {
      await page.screenshot({ path: `${process.env.SHOTS}/setup.png` })
    }
    await expectAccessibleInBothThemes(page)
  })

  await test.step('all three run, and each shows its image', async () => {
    await page.getByRole('button', { name: 'Run 3 variants' }).click()
    const results = page.getByRole('dialog', { name: 'Comparison of Paint' })
    await expect(results).toContainText('3 of 3 variants finished')
    for (const letter of ['A', 'B', 'C']) {
      await expect(variant(letter).getByRole('img', { name: `Variant ${letter}` })).toBeVisible()
    }
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/results.png` })
    await expectAccessibleInBothThemes(page)
  })

  await test.step('the comparison survives a reload', async () => {
    await page.reload()
    await expect(page.getByRole('dialog', { name: 'Comparison of Paint' })).toContainText('Finished')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoHorizontalScroll(page)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/results-390.png` })
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  const draft = async () => {
    const response = await request.get(`${server.url}/api/v1/flows/${id}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    return (await response.json()).flow.nodes.find((node: { id: string }) => node.id === 'paint').settings
  }

  await test.step('keep the second one: its settings are on the node, its image on the card', async () => {
    expect((await draft()).seed).toBe(7)
    await page.getByRole('button', { name: 'Keep variant B' }).click()
    await expect(paint.getByRole('img', { name: 'image-1.png' })).toBeVisible()
    await canvas.saved()
    expect((await draft()).seed).not.toBe(7)
  })

  await test.step('the next run reuses its result at no cost', async () => {
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('region', { name: 'Run 2' })).toContainText('Finished')
    await expect(paint).toContainText('Reused')
    const runs = await request.get(`${server.url}/api/v1/runs/?flow_id=${id}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const [last] = (await runs.json()).items
    expect(Number(last.cost_usd)).toBe(0)
    const run = await request.get(`${server.url}/api/v1/runs/${last.id}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const step = (await run.json()).steps.find((one: { id: string }) => one.id === 'paint')
    expect(step.cached).toBe(true)
  })

  await test.step('one undo restores the settings', async () => {
    await page.getByLabel('Undo', { exact: true }).click()
    await expect.poll(async () => (await draft()).seed).toBe(7)
  })
})
