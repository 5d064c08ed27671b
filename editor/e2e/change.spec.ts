import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { createFlow } from './editor/canvas'
import {
  expect,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  type Server,
  keptTest as test,
} from './fixtures'

const POSTER = {
  format: 1,
  name: 'Poster',
  nodes: [
    { id: 'brief', type: 'user_prompt', settings: { text: 'A podcast about cities at night' } },
    { id: 'draw', type: 'image_generation', title: 'Poster', settings: { provider: 'local', n_images: 1 } },
  ],
  edges: [{ from: 'brief.output', to: 'draw.prompt' }],
}

type Context = { page: Page; request: APIRequestContext; server: Server; token: string }

/** Makes an image and opens it; returns the panel that changes it. */
async function openImage({ page, request, server, token }: Context): Promise<Locator> {
  const id = await createFlow(request, server.url, token, { name: 'Poster', flow: POSTER })
  const headers = { Authorization: `Bearer ${token}` }
  const data = { inputs: {}, version: 'draft' }
  const started = await request.post(`${server.url}/api/v1/flows/${id}/runs`, { headers, data })
  expect(started.status()).toBe(202)
  await page.goto(`/run/${(await started.json()).id}`)
  await page.getByRole('button', { name: 'View Poster' }).click()
  return page.getByRole('region', { name: 'Change' })
}

async function compose(page: Page, panel: Locator): Promise<void> {
  await panel.getByLabel('Call to action').fill('Listen now')
  await panel.getByRole('radio', { name: '9:16' }).click()
  await panel.getByRole('button', { name: 'Make a new version' }).click()
  await expect(panel.getByText('Version 2 of 2')).toBeVisible()
  await expect(page.getByText('864 × 1536')).toBeVisible()
}

test('an image is composed for another format, and the change is undone', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const panel = await openImage({ page, request, server, token })
  await compose(page, panel)
  await expect(panel.getByLabel('Call to action')).toHaveValue('Listen now')
  await expectAccessibleInBothThemes(page, '[role=dialog]')
  await panel.getByRole('button', { name: 'Undo change' }).click()
  await expect(panel.getByLabel('Call to action')).not.toHaveValue('Listen now')
})

test('a changed image is cropped by keyboard, tagged, and found in the library with its versions', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const panel = await openImage({ page, request, server, token })
  await compose(page, panel)
  await panel.getByRole('button', { name: 'Crop' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Crop' })
  await dialog.getByRole('radio', { name: 'Free' }).press('Space')
  const frame = dialog.getByRole('button', { name: /Crop frame/ })
  await frame.press('Shift+ArrowLeft')
  await dialog.getByLabel('Height').fill('700')
  await dialog.getByLabel('Height').press('Enter')
  await expect(frame).toHaveAccessibleName('Crop frame, 855 by 700 pixels')
  await dialog.getByRole('button', { name: 'Crop', exact: true }).press('Enter')
  await expect(panel.getByText('Version 3 of 3')).toBeVisible()
  await expect(page.getByText('855 × 700')).toBeVisible()
  await panel.getByRole('button', { name: 'Earlier version' }).click()
  await expect(panel.getByText('Version 2 of 3')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Use this version' })).toBeVisible()
  await panel.getByRole('button', { name: 'Undo change' }).click()
  await expect(panel.getByText('Version 2 of 2')).toBeVisible()
  const labels = page.getByRole('region', { name: 'Favourite and tags' })
  await labels.getByRole('combobox', { name: 'Add a tag' }).fill('fresh')
  await page.keyboard.press('Enter')
  await expect(labels.getByRole('button', { name: 'Remove fresh' })).toBeVisible()
  const marked = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await labels.getByRole('button', { name: /^Favourite/ }).click()
  expect((await marked).ok()).toBe(true)

  await page.goto('/library?favourite=true')
  await page.getByRole('button', { name: /^Open / }).click()
  const opened = page.getByRole('dialog')
  await expect(opened.getByRole('button', { name: 'Remove fresh' })).toBeVisible()
  await expect(opened.getByText('Version 2 of 2')).toBeVisible()
  await expect(opened.getByLabel('Call to action')).toHaveValue('Listen now')
  await opened.getByRole('button', { name: 'Undo change' }).click()
  await expect(opened.getByLabel('Call to action')).not.toHaveValue('Listen now')
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoHorizontalScroll(page)
})
