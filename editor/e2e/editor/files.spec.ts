import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, keptTest as test, toast } from '../fixtures'
import { imageFile } from '../fixtures/image-file'
import { createFlow, flowNode, typeInSearch } from './canvas'
import { composeFlow, openNewFlow } from './flows'

type Dropped = { name: string; mimeType: string; buffer: Buffer }

/** Drops a file on the canvas, as from the desktop. */
async function drop(page: Page, { name, mimeType, buffer }: Dropped, x: number, y: number): Promise<void> {
  await page.evaluate(
    ({ name, type, base64, x, y }) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([bytes], name, { type }))
      const event = { dataTransfer, bubbles: true, cancelable: true, clientX: x, clientY: y }
      const target = document.querySelector('.react-flow__pane') as Element
      for (const kind of ['dragenter', 'dragover', 'drop']) target.dispatchEvent(new DragEvent(kind, event))
    },
    { name, type: mimeType, base64: buffer.toString('base64'), x, y },
  )
}

const flow = composeFlow()

test('a dropped image becomes a node with that image, in one undo step', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
  await drop(page, imageFile('can.png', 60, 40), 600, 600)
  await expect(canvas.card('Image')).toBeVisible()
  await expect(canvas.card('Image').locator('img')).toBeVisible()
  await canvas.select('User prompt')
  await expect(canvas.card('Image').locator('img')).toBeVisible()
  await expect(canvas.card('Image')).not.toContainText('Not set')
  await canvas.save()
  const draft = await canvas.draft(request, server.url, token, id)
  expect(draft.nodes[2]).toMatchObject({ type: 'picture' })
  expect(JSON.stringify(draft.nodes[2]?.settings)).toContain('can.png')
  await page.keyboard.press('Control+z')
  await expect(canvas.cards).toHaveCount(2)
  await drop(page, { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') }, 600, 600)
  await expect(toast(page, 'No node accepts notes.pdf')).toBeVisible()
})

test('a dropped file that an agent made links to its run', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow(
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
  const assets = await (
    await request.get(`${server.url}/api/v1/assets/?asset_ids=${asset}`, { headers })
  ).json()
  const buffer = Buffer.from(await (await request.get(new URL(assets[0].url, server.url).href)).body())

  const other = await createFlow(request, server.url, token, { name: 'Other', flow })
  await canvas.open(other)
  await drop(page, { name: 'made.png', mimeType: assets[0].media_type, buffer }, 600, 600)
  // Hovering keeps the toast open until the image is on the canvas.
  await toast(page, 'Painter').hover()
  await expect(canvas.card('Image')).toBeVisible()
  await toast(page, 'Painter').getByRole('button').first().click()
  await page.waitForURL(new RegExp(`/run/${items[0].id}`))
})

test('an exported agent is imported onto another canvas and into the list', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { name: 'Exported', flow })
  await canvas.select('Compose')
  await canvas.inspector.getByLabel('Template', { exact: true }).fill('Whisper {{it}}')
  await page.keyboard.press('Control+k')
  await typeInSearch(page, 'Export')
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
  await canvas.save()
  const after = await canvas.draft(request, server.url, token, empty)
  expect(after.nodes.map(({ type, settings }) => ({ type, settings }))).toEqual(
    before.nodes.map(({ type, settings }) => ({ type, settings })),
  )
  await page.keyboard.press('Control+z')
  await expect(canvas.cards).toHaveCount(0)

  await page.goto('/flow/')
  await expect(page.getByRole('link', { name: 'Exported' })).toHaveCount(1)
  await page.evaluate(
    ({ name, bytes }) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type: 'application/json' }))
      for (const kind of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
    },
    { name: file.name, bytes: [...file.buffer] },
  )
  await expect(page.getByRole('link', { name: /Exported/ })).toHaveCount(2)
})

test('a dropped zip adds the nodes of its agent, with their files', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const headers = { Authorization: `Bearer ${token}` }
  const multipart = { file: imageFile('cup.png', 60, 40) }
  const uploaded = await request.post(`${server.url}/api/v1/assets/`, { headers, multipart })
  const { id: asset_id, media_type, name } = await uploaded.json()
  const picture = flowNode('cup', 'picture', 0, 0, {
    picture: { $type: 'Image', asset_id, media_type, name },
  })
  const kit = await createFlow(request, server.url, token, {
    name: 'Cup Kit',
    flow: { format: 1, nodes: [picture], edges: [] },
  })
  const exported = await request.get(`${server.url}/api/v1/flows/${kit}/export/file`, { headers })
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const file = { name: 'cup-kit.zip', mimeType: 'application/zip', buffer: await exported.body() }
  await drop(page, file, 600, 600)
  await expect(toast(page, 'The nodes of Cup Kit were added')).toBeVisible()
  await expect(canvas.card('Image').locator('img')).toBeVisible()
  await canvas.save()
  const { nodes } = await canvas.draft(request, server.url, token, id)
  expect(nodes.map(({ type }) => type)).toContain('picture')
})
