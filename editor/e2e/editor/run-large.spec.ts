import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures'
import { flowNode, middle } from './canvas'
import { begin } from './flows'

const columns = 20
const rows = 10

/** As many columns of cards, each of which says what the one before it said. */
function crowd() {
  const at = (column: number, row: number) => `n${column}x${row}`
  const cells = Array.from({ length: columns * rows }, (_, index) => [Math.floor(index / rows), index % rows])
  return {
    nodes: cells.map(([column = 0, row = 0]) =>
      column === 0
        ? flowNode(at(0, row), 'user_prompt', 0, row * 190, { text: `Row ${row}` })
        : flowNode(at(column, row), 'compose', column * 320, row * 190, { template: '{{it}}.' }),
    ),
    edges: cells
      .filter(([column = 0]) => column > 0)
      .map(([column = 0, row = 0]) => ({
        from: `${at(column - 1, row)}.output`,
        to: `${at(column, row)}.it`,
      })),
  }
}

/** Half the way from the first output of one block to the second input of another. */
async function between(page: Page, from: string, to: string) {
  const at = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`)
  await middle(at(to))
  const [one, other] = [await at(from).boundingBox(), await at(to).boundingBox()]
  if (!one || !other) throw new Error('The blocks are not drawn.')
  const zoom = one.width / 232
  return { x: (one.x + one.width + other.x) / 2, y: (one.y + 50 * zoom + other.y + 76 * zoom) / 2 }
}

test('two hundred steps run in sight as a map, and up close as cards with their ports and edges', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await begin({ page, server, token, request }, { name: 'Crowd', flow: crowd() })
  await page.locator('.react-flow__pane').click({ position: { x: 640, y: 40 } })
  await page.keyboard.press('Shift+1')
  const blocks = page.locator('.overview-card')
  await expect(blocks).toHaveCount(columns * rows)
  await expect(canvas.edges).toHaveCount(0)

  // No edge is an element here, yet each can be taken hold of.
  const onServer = async () => (await canvas.draft(request, server.url, token, id)).edges.length
  const all = await onServer()
  const { x, y } = await between(page, 'n0x3', 'n1x3')
  await page.mouse.click(x, y)
  await expect(page.getByText('User prompt to Compose')).toBeVisible()
  await page.getByRole('button', { name: 'Remove this connection' }).click()
  await expect.poll(onServer).toBe(all - 1)
  await page.keyboard.press('Control+z')
  await expect.poll(onServer).toBe(all)

  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')
  await expect(page.locator('.overview-card[data-status=finished]')).toHaveCount(columns * rows)
  await expect(page.getByRole('article', { name: 'Compose, Finished' }).first()).toBeAttached()

  await page.keyboard.press('0')
  await expect(blocks).toHaveCount(0)
  await expect(canvas.cards.first()).toBeVisible()
  await expect(canvas.edges.first()).toBeAttached()
  await expect(
    canvas.cards.first().getByRole('button', { name: /^(It|Prompt|Text|Output|Result)/ }),
  ).not.toHaveCount(0)
})
