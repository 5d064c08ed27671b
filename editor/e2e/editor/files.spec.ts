import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, notice, test } from '../fixtures'
import { picture } from '../fixtures/image-file'
import { createFlow, flowNode, seek } from './canvas'
import { begin, saying } from './flows'

type Dropped = { name: string; mimeType: string; buffer: Buffer }

/** Lets a file go over the canvas, as the system's own file window would. */
async function drop(page: Page, { name, mimeType, buffer }: Dropped, x: number, y: number): Promise<void> {
  await page.evaluate(
    ({ name, type, bytes, x, y }) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type }))
      const event = { dataTransfer, bubbles: true, cancelable: true, clientX: x, clientY: y }
      const target = document.querySelector('.react-flow__pane') as Element
      for (const kind of ['dragenter', 'dragover', 'drop']) target.dispatchEvent(new DragEvent(kind, event))
    },
    { name, type: mimeType, bytes: [...buffer], x, y },
  )
}

const flow = saying()

test('a picture let go on the canvas becomes the node that holds it, in one step', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await begin({ page, server, token, request }, { flow })
  await drop(page, picture('can.png', 60, 40), 600, 600)
  await expect(canvas.card('Picture')).toBeVisible()
  await expect(canvas.card('Picture').locator('img')).toBeVisible()
  await canvas.saved()
  const draft = await canvas.draft(request, server.url, token, id)
  expect(draft.nodes[2]).toMatchObject({ type: 'picture' })
  expect(JSON.stringify(draft.nodes[2]?.settings)).toContain('can.png')
  await page.keyboard.press('Control+z')
  await expect(canvas.cards).toHaveCount(2)
  await drop(page, { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') }, 600, 600)
  await expect(notice(page, 'No node accepts notes.pdf')).toBeVisible()
})

test('a file that was made here offers to open what made it', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await begin(
    { page, server, token, request },
    {
      name: 'Painter',
      flow: {
        nodes: [
          flowNode('ask', 'user_prompt', 0, 0, { text: 'Cold brew' }),
          flowNode('paint', 'image_generation', 420, 0, { n_images: 1 }),
        ],
        edges: [{ from: 'ask.output', to: 'paint.prompt' }],
      },
    },
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')
  const headers = { Authorization: `Bearer ${token}` }
  const { items } = await (await request.get(`${server.url}/api/v1/runs/?flow_id=${id}`, { headers })).json()
  const run = await (await request.get(`${server.url}/api/v1/runs/${items[0].id}`, { headers })).json()
  const asset = /"asset_id": ?"([^"]+)"/.exec(JSON.stringify(run))?.[1]
  const made = await (
    await request.get(`${server.url}/api/v1/assets/?asset_ids=${asset}`, { headers })
  ).json()
  const buffer = Buffer.from(await (await request.get(new URL(made[0].url, server.url).href)).body())

  const other = await createFlow(request, server.url, token, { name: 'Other', flow })
  await canvas.open(other)
  await drop(page, { name: 'made.png', mimeType: made[0].media_type, buffer }, 600, 600)
  // Held by the pointer, so that it stays until the picture is there.
  await notice(page, 'Painter').hover()
  await expect(canvas.card('Picture')).toBeVisible()
  await notice(page, 'Painter').getByRole('button').first().click()
  await page.waitForURL(new RegExp(`/run/${items[0].id}`))
})

test('an agent goes out as a file and comes back onto another canvas, and onto the list', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await begin({ page, server, token, request }, { name: 'Travels', flow })
  await canvas.select('Compose')
  await canvas.inspector.getByLabel('Template', { exact: true }).fill('Whisper {{it}}')
  await page.keyboard.press('Control+k')
  await seek(page, 'Export')
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  const file = {
    name: download.suggestedFilename(),
    mimeType: 'application/json',
    buffer: await readFile(await download.path()),
  }
  const before = await canvas.draft(request, server.url, token, id)

  const empty = await createFlow(request, server.url, token, { name: 'Blank' })
  await canvas.open(empty)
  await drop(page, file, 420, 400)
  await expect(canvas.cards).toHaveCount(2)
  await expect(canvas.edges).toHaveCount(1)
  await canvas.saved()
  const after = await canvas.draft(request, server.url, token, empty)
  expect(after.nodes.map(({ type, settings }) => ({ type, settings }))).toEqual(
    before.nodes.map(({ type, settings }) => ({ type, settings })),
  )
  await page.keyboard.press('Control+z')
  await expect(canvas.cards).toHaveCount(0)

  await page.goto('/flow/')
  await expect(page.getByRole('link', { name: 'Travels' })).toHaveCount(1)
  await page.evaluate(
    ({ name, bytes }) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type: 'application/json' }))
      for (const kind of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
    },
    { name: file.name, bytes: [...file.buffer] },
  )
  await expect(page.getByRole('link', { name: /Travels/ })).toHaveCount(2)
})
