import { inflateSync } from 'node:zlib'
import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { expect, expectNoHorizontalScroll, keptTest as test } from '../fixtures'
import { expectAccessibleInBothThemes } from '../fixtures/axe'
import { imageFile } from '../fixtures/image-file'
import { intercept } from '../fixtures/interception'
import { type Canvas, centerOf, flowNode } from './canvas'
import { openNewFlow } from './flows'

const WIDTH = 320
const HEIGHT = 240

type Request = { request: APIRequestContext; url: string; token: string }

async function uploadImage({ request, url, token }: Request, width: number, height: number) {
  const response = await request.post(`${url}/api/v1/assets/`, {
    headers: { Authorization: `Bearer ${token}` },
    multipart: { file: imageFile('can.png', width, height) },
  })
  expect(response.status(), await response.text()).toBe(201)
  return (await response.json()).id as string
}

const held = (id: string, width: number, height: number) => ({
  $type: 'Image',
  asset_id: id,
  media_type: 'image/png',
  width,
  height,
})

/** An agent with one image, whose painter is open. */
const painting = test.extend<{ width: number; height: number; painter: Painter }>({
  width: [WIDTH, { option: true }],
  height: [HEIGHT, { option: true }],
  painter: async ({ signedInPage: page, server, token, request, width, height }, use) => {
    const image = await uploadImage({ request, url: server.url, token }, width, height)
    const flow = { nodes: [flowNode('image', 'picture', 0, 0, { picture: held(image, width, height) })] }
    const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
    await use(new Painter(page, canvas, id, image))
  },
})

class Painter {
  readonly dialog: Locator
  readonly area: Locator

  constructor(
    readonly page: Page,
    readonly canvas: Canvas,
    readonly flowId: string,
    readonly imageId: string,
  ) {
    this.dialog = page.getByRole('dialog', { name: 'Mask and edit' })
    this.area = this.dialog.getByRole('application', { name: 'Image to paint on' })
  }

  async open(): Promise<void> {
    await this.canvas
      .card('Image')
      .getByRole('heading', { name: 'Image', exact: true })
      .click({ button: 'right' })
    await this.page.getByRole('menuitem', { name: 'Mask and edit' }).click()
    await expect(this.area.locator('canvas').first()).toBeVisible()
  }

  button(name: string): Locator {
    return this.dialog.getByRole('button', { name, exact: true })
  }

  /** Draws a line with the mouse, in parts of the painting area. */
  async draw(from: readonly [number, number], to: readonly [number, number], steps = 12): Promise<void> {
    const box = (await this.area.boundingBox()) as { x: number; y: number; width: number; height: number }
    const at = ([x, y]: readonly [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const
    await this.page.mouse.move(...at(from))
    await this.page.mouse.down()
    await this.page.mouse.move(...at(to), { steps })
    await this.page.mouse.up()
  }

  /** Waits for the next frame, which draws the mask. */
  async expectMiddle(state: 'painted' | 'unpainted'): Promise<void> {
    await expect.poll(async () => ((await this.shadeInTheMiddle())[3] ?? 0) > 100).toBe(state === 'painted')
  }

  /** The colour and opacity of the mask in the middle of the area. */
  async shadeInTheMiddle(): Promise<number[]> {
    return this.area
      .locator('canvas')
      .nth(1)
      .evaluate((canvas: HTMLCanvasElement) => {
        const pixel = canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data
        return [...(pixel ?? [])]
      })
  }
}

/** The header and the pixels of a greyscale PNG without filters. */
function readPng(file: Buffer) {
  const data: Buffer[] = []
  let header: Buffer = Buffer.alloc(0)
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'IHDR') header = file.subarray(at + 8, at + 8 + length)
    if (type === 'IDAT') data.push(file.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const rows = inflateSync(Buffer.concat(data))
  return {
    width,
    height,
    depth: header[8],
    colors: header[9],
    at: (x: number, y: number) => rows[y * (width + 1) + 1 + x],
  }
}

painting(
  'a painted mask becomes an edit of the image, as one undo step',
  { tag: '@thorough' },
  async ({ painter, page, request, server, token }) => {
    await painter.open()
    await expect(painter.button('Use this mask')).toBeDisabled()
    await expect(painter.dialog.getByText('Paint over a part of the image first.')).toBeVisible()
    await painter.expectMiddle('unpainted')
    await painter.draw([0.45, 0.5], [0.55, 0.5])
    await expect(painter.button('Use this mask')).toBeEnabled()
    await painter.expectMiddle('painted')
    const [red = 0, , blue = 0] = await painter.shadeInTheMiddle()
    expect(blue).toBeGreaterThan(red)

    await painter.button('Undo stroke').click()
    await expect(painter.button('Use this mask')).toBeDisabled()
    await painter.button('Redo stroke').click()
    await expect(painter.button('Use this mask')).toBeEnabled()

    const sent = page.waitForRequest(
      (one) => one.method() === 'POST' && one.url().includes('/api/v1/assets/'),
    )
    await painter.button('Use this mask').click()
    expect((await sent).url()).toContain('intermediate=true')
    await expect(painter.dialog).toBeHidden()
    await expect(painter.canvas.card('Image edit')).toBeVisible()
    const panel = await painter.canvas.inspector.boundingBox()
    await expect
      .poll(async () => {
        const card = await painter.canvas.card('Image edit').boundingBox()
        return (card?.x ?? 0) + (card?.width ?? 0)
      })
      .toBeLessThan(panel?.x ?? 0)
    await expect(painter.canvas.inspector.getByRole('textbox', { name: 'Template' })).toBeFocused()
    await page.keyboard.type('A green can')
    await painter.canvas.save()
    const draft = await painter.canvas.draft(request, server.url, token, painter.flowId)
    const edit = draft.nodes.find(({ type }) => type === 'image_edit')
    const mask = edit?.settings.mask as {
      $type: string
      image: { asset_id: string; width: number; height: number }
    }
    expect(mask.$type).toBe('Mask')
    expect(draft.edges.map(({ to }) => to).sort()).toEqual([`${edit?.id}.picture`, `${edit?.id}.prompt`])

    const listed = await request.get(`${server.url}/api/v1/assets/${mask.image.asset_id}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const file = await request.get(new URL((await listed.json()).url, server.url).href)
    const png = readPng(await file.body())
    expect([png.width, png.height, png.depth, png.colors]).toEqual([WIDTH, HEIGHT, 8, 0])
    expect(png.at(WIDTH / 2, HEIGHT / 2)).toBe(255)
    expect(png.at(2, 2)).toBe(0)

    await painter.canvas.select('Image edit')
    await expect(
      painter.canvas.inspector.getByRole('img', { name: 'The part of the image to change' }),
    ).toBeVisible()
    await painter.canvas.inspector.getByRole('button', { name: 'Paint', exact: true }).click()
    await expect(painter.area).toBeVisible()
    await expect(painter.button('Use this mask')).toBeEnabled()
    await painter.expectMiddle('painted')
    await page.keyboard.press('Escape')
    await expect(painter.dialog).toBeHidden()
    await painter.canvas.inspector.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(
      painter.canvas.inspector.getByRole('img', { name: 'The part of the image to change' }),
    ).toBeHidden()
    const undo = page.getByRole('button', { name: 'Undo', exact: true })
    await undo.click()
    await expect(
      painter.canvas.inspector.getByRole('img', { name: 'The part of the image to change' }),
    ).toBeVisible()
    while (await painter.canvas.card('Image edit').isVisible()) await undo.click()
    await expect(painter.canvas.cards).toHaveCount(1)
  },
)

painting(
  'the keyboard paints, erases and says where the brush is',
  { tag: '@thorough' },
  async ({ painter, page }) => {
    await painter.canvas.select('Image')
    await page.keyboard.press('e')
    await expect(painter.area.locator('canvas').first()).toBeVisible()
    await painter.area.focus()
    const said = page.locator('[data-said-mask]')
    await page.keyboard.press('ArrowLeft')
    await expect(said).toContainText('% from the left, 50 % from the top, not painted')
    await page.keyboard.down(' ')
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.up(' ')
    await expect(said).toHaveText('Stroke added')
    await painter.expectMiddle('painted')
    await page.keyboard.press('ArrowLeft')
    await expect(said).toContainText(', painted')
    await page.keyboard.press('i')
    await expect(said).toHaveText('Mask inverted')
    await painter.expectMiddle('unpainted')
    await page.keyboard.press('ControlOrMeta+z')
    await expect(said).toHaveText('Stroke undone')
    await painter.expectMiddle('painted')
    await page.keyboard.press('e')
    await expect(painter.dialog.getByRole('radio', { name: 'Erase' })).toBeChecked()
    await expectAccessibleInBothThemes(page, '[role=dialog]')

    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard this mask?' })
    await question.getByRole('button', { name: 'Keep painting' }).click()
    await expect(painter.area).toBeVisible()
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard', exact: true }).click()
    await expect(painter.dialog).toBeHidden()
    await expect(painter.canvas.card('Image')).toBeFocused()
  },
)

painting(
  'a mask that fails to upload is kept and sent again',
  { tag: '@thorough' },
  async ({ painter, page, context }) => {
    await painter.open()
    await painter.draw([0.4, 0.5], [0.6, 0.5])
    await intercept(page, '**/api/v1/assets/?*', (route) => route.abort())
    await painter.button('Use this mask').click()
    await expect(painter.dialog.getByRole('alert')).toContainText('Your painting is kept.')
    await context.setOffline(true)
    await expect(painter.button('Try again')).toBeDisabled()
    await context.setOffline(false)
    await page.unroute('**/api/v1/assets/?*')
    await painter.button('Try again').click()
    await expect(painter.canvas.card('Image edit')).toBeVisible()
  },
)

painting(
  'an image that was deleted says so',
  { tag: '@thorough' },
  async ({ painter, request, server, token }) => {
    await request.delete(`${server.url}/api/v1/assets/${painter.imageId}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    await painter.canvas
      .card('Image')
      .getByRole('heading', { name: 'Image', exact: true })
      .click({ button: 'right' })
    await painter.page.getByRole('menuitem', { name: 'Mask and edit' }).click()
    await expect(painter.dialog.getByText('This image no longer exists')).toBeVisible()
    await expect(painter.button('Use this mask')).toBeDisabled()
  },
)

painting(
  'on a phone one finger paints, and two zoom without painting',
  { tag: '@thorough' },
  async ({ painter, page, context }) => {
    await painter.open()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoHorizontalScroll(page)
    // Most of what the tools leave is for the image, and everything is on the screen.
    await expect.poll(async () => (await painter.area.boundingBox())?.height).toBeGreaterThan(400)
    await expect(painter.button('Use this mask')).toBeInViewport({ ratio: 1 })
    const { x, y } = await centerOf(painter.area)
    const zoom = painter.dialog.getByText(/^\d+ %$/).last()
    const before = await zoom.textContent()
    const touch = await context.newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map(([right, down], id) => ({ x: x + right, y: y + down, id, force: 0.2 })),
      })
    await send('touchStart', [-20, 0])
    await send('touchStart', [-20, 0], [20, 0])
    await send('touchMove', [-60, 0], [60, 0])
    await send('touchEnd')
    await expect(zoom).not.toHaveText(before ?? '')
    await expect(painter.button('Use this mask')).toBeDisabled()
    await send('touchStart', [-20, 0])
    await send('touchMove', [20, 0])
    await send('touchEnd')
    await expect(painter.button('Use this mask')).toBeEnabled()
    await painter.expectMiddle('painted')
  },
)

painting.describe('a tiny image', () => {
  painting.use({ width: 16, height: 16 })
  painting('is shown large enough to paint single pixels', { tag: '@thorough' }, async ({ painter }) => {
    await painter.open()
    await painter.draw([0.5, 0.5], [0.5, 0.52])
    await expect(painter.button('Use this mask')).toBeEnabled()
    await painter.button('Zoom in').click()
    await painter.button('Use this mask').click()
    await expect(painter.canvas.card('Image edit')).toBeVisible()
  })
})

/** The CPU time of the page's thread for each move of the pointer: its events, the frame and the layout. */
const MAX_MS_A_MOVE = 16

painting.describe('a large image', () => {
  painting.use({ width: 2048, height: 2048 })
  painting(
    'a move of the brush takes less time than a frame',
    { tag: '@thorough' },
    async ({ painter, page }) => {
      await painter.open()
      const client = await page.context().newCDPSession(page)
      // CPU time, because the machine may be busy.
      await client.send('Performance.enable', { timeDomain: 'threadTicks' })
      const taskSeconds = async () => {
        const { metrics } = await client.send('Performance.getMetrics')
        return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
      }
      const moves = 80
      const { x, y } = await centerOf(painter.area)
      await page.mouse.move(x, y)
      await page.mouse.down()
      const before = await taskSeconds()
      for (let turn = 0; turn < moves; turn += 1) {
        await page.mouse.move(x + 180 * Math.cos(turn / 12), y + 180 * Math.sin(turn / 9))
      }
      const perMove = ((await taskSeconds()) - before) * (1000 / moves)
      await page.mouse.up()
      await expect(painter.button('Use this mask')).toBeEnabled()
      test.info().annotations.push({ type: 'CPU time of a move', description: `${perMove.toFixed(1)} ms` })
      expect(perMove).toBeGreaterThan(0)
      expect(perMove).toBeLessThan(MAX_MS_A_MOVE)
    },
  )
})
