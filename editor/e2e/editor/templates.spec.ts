import { expect, keptTest as test } from '../fixtures'
import { closeByEscape } from '../fixtures/dialogs'
import { intercept } from '../fixtures/interception'
import { openNewFlow } from './flows'

const isListOfAgents = ({ pathname }: URL) => pathname.endsWith('/v1/flows/')

test('an empty canvas cannot be run or published, and starts from a template, as one undo step', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas } = await openNewFlow({ page, server, token, request })
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await expect(run).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled()
  await page.keyboard.press('Control+Enter')

  const templates = page.getByRole('region', { name: 'Start from a template' })
  await test.step('in a low window, by their dialog', async () => {
    await page.setViewportSize({ width: 1280, height: 560 })
    await expect(templates.getByRole('listitem')).toHaveCount(0)
    await templates.getByRole('button', { name: 'All templates' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start from a template' })
    await expect(dialog).toBeVisible()
    await closeByEscape(dialog)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await expect(templates.getByRole('listitem')).toHaveCount(3)
  await templates.getByRole('button', { name: 'Ad Variations' }).focus()
  await page.keyboard.press('Enter')
  await expect(canvas.cards.first()).toBeVisible()
  await expect(templates).toHaveCount(0)
  await expect(canvas.edges.first()).toBeAttached()
  await expect.poll(() => canvas.overlaps()).toEqual([])
  await expect(run).toBeEnabled()
  await expect(page.getByRole('region', { name: /^Run 1/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(canvas.cards).toHaveCount(0)
  await expect(templates.getByRole('listitem')).toHaveCount(3)
})

test('an empty canvas takes nodes while its templates cannot be loaded, and loads them again', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  await intercept(page, isListOfAgents, (route) => route.abort())
  const { canvas } = await openNewFlow({ page, server, token, request })
  await expect(page.getByText('The templates could not be loaded.')).toBeVisible()
  await page.unroute(isListOfAgents)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Start from a template' })).toBeVisible()
  await canvas.palette.getByRole('button', { name: 'User prompt', exact: true }).click()
  await expect(canvas.cards).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'Start from a template' })).toHaveCount(0)
})

test('a template brings its variables, and one value there changes all nodes that use it', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { name: 'Anteprima' })
  await page.getByRole('button', { name: 'All templates' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start from a template' })
  await dialog.getByRole('button', { name: /Podcast Teaser/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect(canvas.card('Signature')).toBeVisible()
  await page.getByRole('button', { name: 'Variables', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Variables' })
  await expect(panel.getByText('cover_style')).toBeVisible()
  await panel.getByText('cover_margin').click()
  await panel.getByLabel('Value').fill('0.2')
  await panel.getByLabel('Value').blur()
  await canvas.save()
  const draft = (await canvas.draft(request, server.url, token, id)) as {
    variables?: { name: string; value: unknown }[]
    nodes: { title?: string; variables?: object }[]
  }
  expect(draft.variables?.find(({ name }) => name === 'cover_margin')?.value).toBe(0.2)
  const users = draft.nodes.filter(
    ({ variables }) => JSON.stringify(variables) === '{"margin":"cover_margin"}',
  )
  expect(users.map(({ title }) => title).sort()).toEqual(['Cover', 'Signature'])
})

test('a new flow starts from a template that is chosen when it is created', { tag: '@thorough' }, async ({
  signedInPage: page,
}) => {
  await page.goto('/flow/')
  await page.getByRole('button', { name: 'Create a new flow' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create a new flow' })
  await dialog.getByLabel('Name').fill('Rye of the day')
  await dialog.getByRole('radio', { name: 'Brand Voice Writer' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/flow\/.+/)
  await expect(page.locator('.react-flow__node-card').first()).toBeVisible()
  await expect(page).toHaveTitle(/^Rye of the day/)
})
