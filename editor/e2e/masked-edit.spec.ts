import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { createFlow } from './editor/canvas'
import {
  expect,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  type Server,
  keptTest as test,
} from './fixtures'

type Context = { request: APIRequestContext; server: Server; token: string }

const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}

const PAINT = [
  { id: 'brief', type: 'user_prompt', settings: { text: 'A cold-brew can in a calm studio' } },
  { id: 'draw', type: 'image_generation', title: 'Poster', settings: { provider: 'local', n_images: 1 } },
]
const EDGE = { from: 'brief.output', to: 'draw.prompt' }

/** Runs the draft of a new agent; returns the run's id. */
async function runNew(
  { request, server, token }: Context,
  nodes: object[],
  edges: object[],
): Promise<string> {
  const flow = { format: 1, name: 'Poster', nodes, edges }
  const id = await createFlow(request, server.url, token, { name: 'Poster', flow } as never)
  const started = await request.post(`${server.url}/api/v1/flows/${id}/runs`, {
    headers: { Authorization: `Bearer ${token}` },
    data: { inputs: {}, version: 'draft' },
  })
  expect(started.status(), await started.text()).toBe(202)
  return (await started.json()).id
}

async function paint(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Mask and edit' })
  const area = dialog.getByRole('application', { name: 'Image to paint on' })
  await expect(area.locator('canvas').first()).toBeVisible()
  const box = (await area.boundingBox()) as { x: number; y: number; width: number; height: number }
  await page.mouse.move(box.x + 0.45 * box.width, box.y + 0.5 * box.height)
  await page.mouse.down()
  await page.mouse.move(box.x + 0.55 * box.width, box.y + 0.5 * box.height, { steps: 8 })
  await page.mouse.up()
  await dialog.getByRole('button', { name: 'Use this mask' }).click()
}

/** The prompt bar with the agent that edits, the image and its mask. */
async function expectPromptBar(page: Page): Promise<Locator> {
  await expect(page.getByRole('radio', { name: 'Mask and edit' })).toBeChecked()
  const customize = page.getByRole('region', { name: 'Customize' })
  await expect(customize.getByRole('img', { name: 'The part of the image to change' })).toBeVisible()
  await expect(customize.getByRole('button', { name: 'Paint', exact: true })).toBeVisible()
  return customize
}

test('a part of a result is painted over and edited', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const run = await runNew({ request, server, token }, PAINT, [EDGE])

  await test.step('from the result of a run', async () => {
    await page.goto(`/run/${run}`)
    await page.getByRole('button', { name: 'More for Poster' }).click()
    await page.getByRole('menuitem', { name: 'Mask and edit' }).click()
    await paint(page)
    await expectPromptBar(page)
    await expect(page.getByRole('textbox', { name: 'Prompt' })).toBeFocused()
    await shot(page, 'masked-home')
    await expectAccessibleInBothThemes(page, 'main')
    if (process.env.SHOTS) {
      await page.emulateMedia({ colorScheme: 'dark' })
      await shot(page, 'masked-home-dark')
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoHorizontalScroll(page)
    await shot(page, 'masked-home-390')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await test.step('the edit runs, and its inputs are there to launch again', async () => {
    await page.getByRole('textbox', { name: 'Prompt' }).fill('A plain wall')
    await page.getByRole('button', { name: 'Launch', exact: true }).click()
    await expect(page.getByRole('button', { name: /^View/ })).toBeVisible()
    await expect(page).toHaveURL(/\/run\//)
    await shot(page, 'masked-run')
    const id = page.url().split('/').at(-1)
    const headers = { Authorization: `Bearer ${token}` }
    const made = await (await request.get(`${server.url}/api/v1/runs/${id}`, { headers })).json()
    expect(made.inputs.area.$type).toBe('Mask')
    expect(made.steps.find(({ id: step }: { id: string }) => step === 'edit').status).toBe('finished')
  })
})

test('an image of the library is masked with the agent that is there by now, or the one that is chosen', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const run = await runNew({ request, server, token }, PAINT, [EDGE])
  await page.goto(`/run/${run}`)
  await page.getByRole('button', { name: 'More for Poster' }).click()
  await page.getByRole('menuitem', { name: 'Mask and edit' }).click()
  await paint(page)
  await expectPromptBar(page)

  await test.step('the mask is painted on in the launch form', async () => {
    const customize = await expectPromptBar(page)
    await customize.getByRole('button', { name: 'Paint', exact: true }).click()
    await paint(page)
    await expect(page.getByRole('dialog', { name: 'Mask and edit' })).toBeHidden()
    await expectPromptBar(page)
  })

  await test.step('from the library, with the agent that is there by now', async () => {
    await page.goto('/library')
    await page
      .getByRole('button', { name: /^Open / })
      .last()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mask and edit' }).click()
    await paint(page)
    await expectPromptBar(page)
    const headers = { Authorization: `Bearer ${token}` }
    const listed = await request.get(`${server.url}/api/v1/flows/?takes=mask&limit=10`, { headers })
    expect((await listed.json()).items.map(({ name }: { name: string }) => name)).toEqual(['Mask and edit'])
  })

  await test.step('with several agents that take a mask, one is chosen', async () => {
    const headers = { Authorization: `Bearer ${token}` }
    const nodes = [
      { id: 'what', type: 'user_prompt' },
      { id: 'image', type: 'picture' },
      { id: 'area', type: 'mask' },
      { id: 'edit', type: 'image_edit' },
    ]
    const edges = ['what edit.prompt', 'image edit.picture', 'area edit.mask'].map((edge) => {
      const [from, to] = edge.split(' ')
      return { from: `${from}.output`, to }
    })
    const flow = { format: 1, name: 'House retouch', nodes, edges }
    const id = await createFlow(request, server.url, token, { name: 'House retouch', flow } as never)
    const published = await request.post(`${server.url}/api/v1/flows/${id}/publish`, {
      headers,
      data: { note: '' },
    })
    expect(published.ok(), await published.text()).toBe(true)
    await page.goto(`/run/${run}`)
    await page.getByRole('button', { name: 'View Poster' }).click()
    await page.getByRole('region', { name: 'Change' }).getByRole('button', { name: 'Mask and edit' }).click()
    await paint(page)
    const choice = page.getByRole('dialog', { name: 'Edit inside the mask' })
    await expect(choice.getByRole('button', { name: /^Mask and edit/ })).toBeVisible()
    await shot(page, 'masked-choice')
    await expectAccessibleInBothThemes(page, '[role=dialog]')
    await choice.getByRole('button', { name: /^House retouch/ }).click()
    await expect(page.getByRole('radio', { name: 'House retouch' })).toBeChecked()
    await expect(page.getByRole('img', { name: 'The part of the image to change' })).toBeVisible()
  })
})

test('a mask as a result is shown over the image that it was made of', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const nodes = [...PAINT, { id: 'find', type: 'subject_mask', title: 'Subject' }]
  const run = await runNew({ request, server, token }, nodes, [
    EDGE,
    { from: 'draw.output', to: 'find.image' },
  ])
  await page.goto(`/run/${run}`)
  const shown = page.getByRole('img', { name: /Subject.*: the masked part of the image/ })
  await expect(shown).toBeVisible()
  await expect(page.getByRole('button', { name: /^View Subject/ })).toContainText('Mask')
  await expect(page.locator('[data-mask-shape]')).toBeVisible()
  await shot(page, 'mask-result')
  await expectAccessibleInBothThemes(page, 'main')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoHorizontalScroll(page)
  await shot(page, 'mask-result-390')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: /^View Subject/ }).click()
  await expect(page.getByRole('dialog').locator('[data-mask-shape]')).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('region', { name: 'Change' })).toBeHidden()
  await shot(page, 'mask-viewer')
  await page.keyboard.press('Escape')
  await page.goto('/flow/')
  await expect(page.getByText('Makes: Mask')).toBeAttached()
})
