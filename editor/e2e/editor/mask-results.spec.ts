import { expect, keptTest as test } from '../fixtures'
import { imageFile } from '../fixtures/image-file'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

test('the result of a mask says and shows how much of its image is masked', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const uploaded = await request.post(`${server.url}/api/v1/assets/`, {
    headers: { Authorization: `Bearer ${token}` },
    multipart: { file: imageFile('vetrina.png', 320, 240) },
  })
  const { id: asset_id } = await uploaded.json()
  const picture = { $type: 'Image', asset_id, media_type: 'image/png', width: 320, height: 240 }
  const flow = {
    nodes: [flowNode('foto', 'picture', 0, 0, { picture }), flowNode('sagoma', 'subject_mask', 360, 0)],
    edges: [{ from: 'foto.output', to: 'sagoma.image' }],
  }
  const { canvas } = await openNewFlow({ page, server, token, request }, { name: 'Vetrina', flow })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const words = /% of the image is masked|Nothing is masked|The whole image is masked/
  const card = canvas.card('Subject mask')
  await expect(card.getByRole('img', { name: words })).toBeVisible()
  await expect(card.locator('[data-mask-shape]')).toBeVisible()
  await canvas.select('Subject mask')
  await canvas.inspector.getByRole('tab', { name: 'Result' }).click()
  await expect(canvas.inspector.getByRole('img', { name: words })).toBeVisible()
  await expect(canvas.inspector.locator('[data-mask-shape]')).toBeVisible()
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT })
})
