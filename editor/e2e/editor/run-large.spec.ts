import type { Page } from '@playwright/test'
import { expect, keptTest as test } from '../fixtures'
import { centerOf, flowNode } from './canvas'
import { openNewFlow } from './flows'

const columns = 20
const rows = 8

/** A grid of nodes; each row is a chain in which every node repeats its predecessor's text. */
function gridFlow() {
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

/** The midpoint between the first output of one block and the second input of another. */
async function edgeMidpoint(page: Page, from: string, to: string) {
  const at = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`)
  await centerOf(at(to))
  const [one, other] = [await at(from).boundingBox(), await at(to).boundingBox()]
  if (!one || !other) throw new Error('The blocks are not visible.')
  const zoom = one.width / (await at(from).evaluate((block: HTMLElement) => block.offsetWidth))
  return { x: (one.x + one.width + other.x) / 2, y: (one.y + 50 * zoom + other.y + 76 * zoom) / 2 }
}

test('a hundred and sixty nodes are drawn as blocks when zoomed out and as cards when zoomed in', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow(
    { page, server, token, request },
    { name: 'Large', flow: gridFlow() },
  )
  await page.locator('.react-flow__pane').click({ position: { x: 640, y: 40 } })
  await page.keyboard.press('Shift+1')
  const blocks = page.locator('.overview-card')
  await expect(blocks).toHaveCount(columns * rows)
  await expect(canvas.edges).toHaveCount(0)

  // Edges are drawn on one canvas here, but can still be clicked.
  const savedEdges = async () => (await canvas.draft(request, server.url, token, id)).edges.length
  const total = await savedEdges()
  const { x, y } = await edgeMidpoint(page, 'n0x3', 'n1x3')
  await page.mouse.click(x, y)
  await expect(page.getByText('User prompt to Compose')).toBeVisible()
  await page.getByRole('button', { name: 'Remove this connection' }).click()
  await expect.poll(savedEdges).toBe(total - 1)
  await page.keyboard.press('Control+z')
  await expect.poll(savedEdges).toBe(total)

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
