import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test'

type Flow = Record<string, unknown>

/** Creates an agent through the API and returns its id. Without `flow` its document is empty. */
export async function createFlow(
  request: APIRequestContext,
  url: string,
  token: string,
  { name = 'Sketch', flow }: { name?: string; flow?: Flow } = {},
): Promise<string> {
  const response = await request.post(`${url}/api/v1/flows/`, {
    headers: { Authorization: `Bearer ${token}` },
    data: { name, ...(flow && { flow: { format: 1, name, nodes: [], edges: [], ...flow } }) },
  })
  expect(response.status(), await response.text()).toBe(201)
  return (await response.json()).id
}

export function flowNode(id: string, type: string, x: number, y: number, settings: Flow = {}): Flow {
  return { id, type, version: 1, settings, position: { x, y } }
}

/** Page object of the editor. */
export class Canvas {
  constructor(readonly page: Page) {}

  async open(flowId: string): Promise<void> {
    await this.page.goto(`/flow/${flowId}`)
    await this.waitUntilOpen()
  }

  /** Waits until the toolbar and all cards in view are drawn. */
  async waitUntilOpen(): Promise<void> {
    await expect(this.page.getByRole('toolbar', { name: 'Agent' })).toBeVisible()
    await expect(this.page.locator('[data-region=canvas]:not([aria-busy])')).toBeAttached()
  }

  /** The card of the node with this title. */
  card(title: string): Locator {
    return this.page
      .locator('.react-flow__node-card')
      .filter({ has: this.page.getByRole('heading', { name: title, exact: true }) })
  }

  get cards(): Locator {
    return this.page.locator('.react-flow__node-card')
  }

  get edges(): Locator {
    return this.page.locator('.react-flow__edge')
  }

  /** The node with keyboard focus. */
  get focused(): Locator {
    return this.page.locator('.react-flow__node:focus')
  }

  /** The live region that announces edits. */
  get announcement(): Locator {
    return this.page.locator('[data-said]')
  }

  /** Ids of each pair of overlapping cards. */
  async overlaps(): Promise<string[]> {
    const found = await this.cards.all()
    const boxes = await Promise.all(
      found.map(async (card) => ({ id: await card.getAttribute('data-id'), box: await card.boundingBox() })),
    )
    return boxes.flatMap(({ id, box }, at) =>
      boxes
        .slice(at + 1)
        .filter((other) => box && other.box && intersect(box, other.box))
        .map((other) => `${id} ${other.id}`),
    )
  }

  /** Each edge whose drawn path lies behind a card that is not at one of its ends, with that card. */
  hiddenEdges(): Promise<string[]> {
    return this.page.locator('.react-flow').evaluate((surface) => {
      const cards = [...surface.querySelectorAll('.react-flow__node-card')].map((card) => ({
        id: card.getAttribute('data-id') ?? '',
        box: card.getBoundingClientRect(),
      }))
      return [...surface.querySelectorAll('.react-flow__edge')].flatMap((edge) => {
        const id = edge.getAttribute('data-id') ?? ''
        const path = edge.querySelector<SVGPathElement>('.react-flow__edge-path')
        const matrix = path?.getScreenCTM()
        if (!path || !matrix) return [`${id} is not drawn`]
        const length = path.getTotalLength()
        const count = Math.ceil(length / 4)
        const points = Array.from({ length: count + 1 }, (_, at) =>
          path.getPointAtLength((at / count) * length).matrixTransform(matrix),
        )
        const isEnd = (card: string) => id.startsWith(`${card}.`) || id.includes(`>${card}.`)
        return cards
          .filter((card) => !isEnd(card.id))
          .filter(({ box }) =>
            points.some(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom),
          )
          .map((card) => `${id} behind ${card.id}`)
      })
    })
  }

  get palette(): Locator {
    return this.page.getByRole('region', { name: 'Nodes' })
  }

  get inspector(): Locator {
    return this.page.getByRole('region', { name: 'Inspector' })
  }

  port(title: string, name: string): Locator {
    return this.card(title).getByRole('button', { name: new RegExp(`^${name}: `) })
  }

  /** Drags a node type from the palette to a point of the window. */
  async drag(type: string, x: number, y: number): Promise<void> {
    const source = this.palette.getByRole('button', { name: type, exact: true })
    await source.scrollIntoViewIfNeeded()
    const target = this.page.locator('.react-flow__pane')
    await source.dragTo(target, { targetPosition: { x, y } })
    await expect(this.card(type)).toBeVisible()
  }

  /** Drags an edge with the mouse from one port to another. */
  async connect(from: Locator, to: Locator): Promise<void> {
    const [start, end] = [await centerOf(from), await centerOf(to)]
    await this.page.mouse.move(start.x, start.y)
    await this.page.mouse.down()
    await this.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 })
    await this.page.mouse.move(end.x, end.y, { steps: 4 })
    await this.page.mouse.up()
  }

  /** The center of an edge. Uses its interaction path, because a horizontal edge has no height of its own. */
  edgeCenter(edge: Locator): Promise<{ x: number; y: number }> {
    return centerOf(edge.locator('.react-flow__edge-interaction'))
  }

  async hoverEdge(edge: Locator): Promise<void> {
    const { x, y } = await this.edgeCenter(edge)
    await this.page.mouse.move(x, y)
  }

  /** Where the view is: its offset and zoom. */
  viewport(): Promise<string> {
    return this.page
      .locator('.react-flow__viewport')
      .evaluate((element) => getComputedStyle(element).transform)
  }

  async select(title: string): Promise<void> {
    await this.card(title).getByRole('heading', { name: title, exact: true }).click()
    await expect(this.inspector.getByRole('tab', { name: 'Settings' })).toBeVisible()
  }

  /** Saves by key: without it, changes are saved after a pause. */
  async save(): Promise<void> {
    await this.page.keyboard.press('Control+s')
    await this.saved()
  }

  async saved(): Promise<void> {
    await expect(this.page.getByText(/^Saved (just now|\d+ (s|min) ago)$/)).toBeVisible()
  }

  /** The draft that the server stores. */
  async draft(request: APIRequestContext, url: string, token: string, flowId: string) {
    const response = await request.get(`${url}/api/v1/flows/${flowId}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    return (await response.json()).flow as {
      nodes: { id: string; type: string; settings: Flow; title?: string }[]
      edges: { from: string; to: string }[]
    }
  }
}

type Box = { x: number; y: number; width: number; height: number }

function intersect(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  )
}

/** Types into the search field of the dialog that just opened, once it has focus. */
export async function typeInSearch(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type(text)
}

const MAX_PRESSES = 160

/** Presses Tab until `target` has focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  // Looked up once: finding an element by its name takes longer than a press.
  const found = await target.evaluateHandle((element) => element)
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    if (await found.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

/** The center of an element, once its position is stable. */
export async function centerOf(locator: Locator): Promise<{ x: number; y: number }> {
  let before = ''
  await expect
    .poll(async () => {
      const now = JSON.stringify(await locator.boundingBox())
      const isStable = now !== 'null' && now === before
      before = now
      return isStable
    })
    .toBe(true)
  const box = JSON.parse(before) as { x: number; y: number; width: number; height: number }
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
