import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

const AGENTS = join(import.meta.dirname, '../../../examples/agents')
const agents = readdirSync(AGENTS).filter((name) => name.endsWith('.json'))

/** Large enough that all cards are drawn, and none as a block of the overview. */
test.use({ viewport: { width: 3800, height: 2400 } })

for (const file of agents) {
  // The largest one has all that the others have.
  const tag = file === 'podcast_teaser.json' ? [] : ['@thorough']
  test(`Tidy leads every edge of ${file} past the cards`, { tag }, async ({
    signedInPage: page,
    server,
    token,
    request,
  }) => {
    const flow = JSON.parse(readFileSync(join(AGENTS, file), 'utf8'))
    const { canvas } = await openNewFlow({ page, server, token, request }, { flow })
    await page.getByRole('button', { name: 'Tidy up' }).click()
    await expect(canvas.cards).toHaveCount(flow.nodes.length)
    await expect(canvas.edges).toHaveCount(flow.edges.length)
    await expect.poll(() => canvas.overlaps()).toEqual([])
    await expect.poll(() => canvas.hiddenEdges()).toEqual([])
  })
}

test('an edge follows its cards and the cards in its way', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const flow = {
    nodes: [
      flowNode('ask', 'user_prompt', 0, 0),
      flowNode('say', 'compose', 330, 0, { template: 'Say {{it}}' }),
      flowNode('sum', 'compose', 660, 0, { template: 'Sum {{a}} {{b}}' }),
    ].map((node, at) => ({ ...node, title: ['Ask', 'Say', 'Sum'][at] })),
    edges: [
      { from: 'ask.output', to: 'say.it' },
      { from: 'say.output', to: 'sum.a' },
      { from: 'ask.output', to: 'sum.b' },
    ],
  }
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const path = canvas.edges.nth(2).locator('.react-flow__edge-path')
  const curves = async () => (await path.getAttribute('d'))?.match(/C/g)?.length
  await expect.poll(curves).toBe(3)
  await expect.poll(() => canvas.hiddenEdges()).toEqual([])
  await canvas.card('Say').getByRole('heading').hover()
  await page.mouse.down()
  await page.mouse.move(1900, 2000, { steps: 6 })
  await page.mouse.up()
  await expect.poll(curves).toBe(1)
  await page.keyboard.press('Control+z')
  await expect.poll(curves).toBe(3)
  await expect.poll(() => canvas.hiddenEdges()).toEqual([])
  // While an end of it is dragged, an edge is a curve: no bend stays behind.
  await canvas.card('Sum').getByRole('heading').hover()
  await page.mouse.down()
  await page.mouse.move(2600, 1500, { steps: 6 })
  await expect.poll(curves).toBe(1)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect.poll(() => canvas.hiddenEdges()).toEqual([])
})
