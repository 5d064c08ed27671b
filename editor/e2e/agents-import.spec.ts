import type { Page } from '@playwright/test'
import { createFlow, flowNode } from './editor/canvas'
import { expect, keptTest as test } from './fixtures'
import { imageFile } from './fixtures/image-file'
import { intercept } from './fixtures/interception'

type Dropped = { name: string; type: string; bytes: number[] } | { name: string; type: string; size: number }

/** Drops files on the page at once, as from the desktop; a file with a `size` has that many zero bytes. */
async function drop(page: Page, files: readonly Dropped[]): Promise<void> {
  await page.evaluate((given) => {
    const dataTransfer = new DataTransfer()
    for (const file of given) {
      const content = 'bytes' in file ? new Uint8Array(file.bytes) : new Uint8Array(file.size)
      dataTransfer.items.add(new File([content], file.name, { type: file.type }))
    }
    for (const kind of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(
        new DragEvent(kind, { bubbles: true, cancelable: true, clientX: 400, clientY: 400, dataTransfer }),
      )
    }
  }, files)
}

const zip = (name: string, content: Buffer) => ({ name, type: 'application/zip', bytes: [...content] })

test('zips dropped on the list of agents are imported, and each that is none is named', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const headers = { Authorization: `Bearer ${token}` }
  const exported = async (name: string) => {
    const multipart = { file: imageFile(`${name}.png`, 60, 40) }
    const asset = await (await request.post(`${server.url}/api/v1/assets/`, { headers, multipart })).json()
    const image = { $type: 'Image', asset_id: asset.id, media_type: asset.media_type, name: asset.name }
    const nodes = [{ ...flowNode('foto', 'picture', 0, 0, { image }), title: 'Foto' }]
    const id = await createFlow(request, server.url, token, { name, flow: { nodes } })
    const file = await request.get(`${server.url}/api/v1/flows/${id}/export/file`, { headers })
    await request.delete(`${server.url}/api/v1/flows/${id}`, { headers })
    return zip(`${name}.zip`, await file.body())
  }
  const [menu, vetrina] = [await exported('Menù del giorno'), await exported('Vetrina')]
  await page.goto('/flow/?tab=own')
  await expect(page.getByText('No flows available. Create your first flow to get started!')).toBeVisible()
  const link = (name: string) => page.getByRole('link', { name: new RegExp(name) })

  await test.step('one', async () => {
    await drop(page, [menu])
    await expect(page.getByText('Menù del giorno imported', { exact: true })).toBeVisible()
    await expect(link('Menù del giorno')).toHaveCount(1)
  })

  await test.step('two at once', async () => {
    await drop(page, [menu, vetrina])
    await expect(page.getByText('2 agents imported', { exact: true })).toBeVisible()
    await expect(link('Menù del giorno')).toHaveCount(2)
    await expect(link('Vetrina')).toHaveCount(1)
  })

  await test.step('one that is no agent among others', async () => {
    const photos = { ...menu, name: 'foto.zip', bytes: menu.bytes.slice(0, 200) }
    await drop(page, [photos, vetrina])
    await expect(page.getByText('1 of 2 files imported', { exact: true })).toBeVisible()
    await expect(page.getByText(/^foto\.zip: .*was exported from Impasto\.$/)).toBeVisible()
    await expect(link('Vetrina')).toHaveCount(2)
  })

  await test.step('one that is larger than the server takes', async () => {
    await drop(page, [{ name: 'archivio.zip', type: 'application/zip', size: 201 * 2 ** 20 }])
    await expect(page.getByText('archivio.zip was not imported', { exact: true })).toBeVisible()
    await expect(page.getByText(/^This is too large: the limit is 20\d MiB\.$/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0)
  })

  await test.step('a lost answer: only what was lost is sent again, and creates one agent', async () => {
    await intercept(page, '**/flows/import/file', (route) => route.abort(), { times: 1 })
    await drop(page, [vetrina, menu])
    await expect(page.getByText('1 of 2 files imported', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText('Vetrina imported', { exact: true })).toBeVisible()
    await expect(link('Vetrina')).toHaveCount(3)
    await expect(link('Menù del giorno')).toHaveCount(3)
  })
})
