import type { Locator, Page } from '@playwright/test'
import { expect, keptTest as test } from '../fixtures'
import { type Canvas, centerOf, flowNode } from './canvas'
import { openNewFlow } from './flows'

type Point = { x: number; y: number }

/** Dispatches a touch gesture; each entry of `path` holds the positions of all fingers. */
async function touchGesture(page: Page, path: readonly (readonly Point[])[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  for (const [at, touchPoints] of path.entries()) {
    await session.send('Input.dispatchTouchEvent', {
      type: at === 0 ? 'touchStart' : 'touchMove',
      touchPoints: [...touchPoints],
    })
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

const interpolate = (from: number, to: number, part: number) => from + (to - from) * part
const steps = [0, 0.2, 0.4, 0.6, 0.8, 1]

/** Adds a node through the `Add a node` list. */
async function addNode(canvas: Canvas, type: string): Promise<void> {
  await canvas.page.getByRole('button', { name: 'Add a node' }).tap()
  await canvas.palette.getByRole('button', { name: type, exact: true }).tap()
  await expect(canvas.palette).toHaveCount(0)
}

async function dragBy(page: Page, card: Locator, by: Point): Promise<void> {
  const { x, y } = await centerOf(card.getByRole('heading'))
  await touchGesture(
    page,
    steps.map((part) => [{ x: x + by.x * part, y: y + by.y * part }]),
  )
}

test.describe('on a touch screen of 390 px', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('an agent is built, saved, run and published by touch', async ({
    signedInPage: page,
    server,
    token,
    request,
  }) => {
    const { id, canvas } = await openNewFlow({ page, server, token, request }, { name: 'Pocket' })
    await addNode(canvas, 'User prompt')
    await dragBy(page, canvas.card('User prompt'), { x: -60, y: -150 })
    await addNode(canvas, 'Compose')
    await expect(canvas.cards).toHaveCount(2)

    await page.getByRole('button', { name: 'Open settings' }).tap()
    await canvas.inspector.getByLabel('Template', { exact: true }).fill('Say {{it}} aloud')
    await page.getByRole('button', { name: 'Close settings' }).tap()

    await canvas.port('User prompt', 'Output').tap()
    await expect(page.getByText('Choose an input that takes Text')).toBeVisible()
    await expect(canvas.port('Compose', 'it')).toHaveClass(/fits/)
    await canvas.port('Compose', 'it').tap()
    await expect(canvas.edges).toHaveCount(1)
    await expect(page.getByText('Choose an input that takes Text')).toHaveCount(0)

    await canvas.card('User prompt').getByRole('heading').tap()
    await page.getByRole('button', { name: 'Open settings' }).tap()
    await canvas.inspector.getByLabel('Prompt', { exact: true }).fill('Cold brew')
    await page.getByRole('button', { name: 'Close settings' }).tap()

    await page.getByRole('button', { name: 'More', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'Save' }).tap()
    await canvas.saved()
    const draft = await canvas.draft(request, server.url, token, id)
    expect(draft.nodes.map((node) => node.settings)).toEqual([
      { text: 'Cold brew' },
      { template: 'Say {{it}} aloud' },
    ])
    expect(draft.edges).toHaveLength(1)

    await page.getByRole('button', { name: 'Run', exact: true }).tap()
    await expect(canvas.card('Compose')).toContainText('Say Cold brew aloud')
    await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')

    await page.getByRole('button', { name: 'More', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'Publish' }).tap()
    await page.getByRole('button', { name: 'Publish version 1' }).tap()
    await expect(page.getByText('Version 1 is live').first()).toBeVisible()
  })

  test('one finger pans or selects, two fingers zoom', { tag: '@thorough' }, async ({
    signedInPage: page,
    server,
    token,
    request,
  }) => {
    const { id, canvas } = await openNewFlow(
      { page, server, token, request },
      {
        flow: {
          nodes: [
            flowNode('ask', 'user_prompt', 0, 0, { text: 'Cold brew' }),
            flowNode('say', 'compose', 0, 220),
          ],
        },
      },
    )
    const selectMultiple = page.getByRole('button', { name: 'Select multiple' })
    await selectMultiple.tap()
    await canvas.card('Compose').getByRole('heading').tap()
    await canvas.card('User prompt').getByRole('heading').tap()
    const both = page.getByRole('toolbar', { name: '2 selected' })
    await expect(both).toBeVisible()
    await canvas.card('Compose').getByRole('heading').tap()
    await expect(both).toHaveCount(0)
    await page.touchscreen.tap(200, 760)
    const low = await centerOf(canvas.card('Compose'))
    await touchGesture(
      page,
      steps.map((part) => [{ x: interpolate(360, 120, part), y: interpolate(low.y + 90, 150, part) }]),
    )
    await expect(both).toBeVisible()
    await page.touchscreen.tap(200, 760)
    await expect(both).toHaveCount(0)
    await selectMultiple.tap()
    await expect(selectMultiple).toHaveAttribute('aria-pressed', 'false')

    const before = await centerOf(canvas.card('User prompt'))
    await touchGesture(
      page,
      steps.map((part) => [{ x: 200, y: interpolate(750, 670, part) }]),
    )
    const after = await centerOf(canvas.card('User prompt'))
    expect(after.y).toBeLessThan(before.y - 50)

    const width = async () => (await canvas.card('Compose').boundingBox())?.width ?? 0
    const beforeZoom = await width()
    await touchGesture(
      page,
      steps.map((part) => [
        { x: interpolate(170, 90, part), y: 740 },
        { x: interpolate(220, 300, part), y: 740 },
      ]),
    )
    await expect.poll(width).toBeGreaterThan(beforeZoom * 1.3)
    expect(await canvas.draft(request, server.url, token, id)).toMatchObject({
      nodes: [{ id: 'ask' }, { id: 'say' }],
    })
  })
})

test('two clicks connect ports; incompatible ports and the empty canvas are handled', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    {
      flow: {
        nodes: [
          flowNode('ask', 'user_prompt', 0, 0),
          flowNode('say', 'text_to_speech', 420, 0),
          flowNode('video', 'still_to_video', 420, 260),
        ],
      },
    },
  )
  const from = canvas.port('User prompt', 'Output')
  await from.click()
  await expect(canvas.port('Still to video', 'Image')).toHaveClass(/dimmed/)
  await canvas.card('Text to speech').getByRole('heading').click()
  await expect(canvas.edges).toHaveCount(1)

  await from.click()
  await canvas.port('Still to video', 'Image').click()
  const refusal = page.getByRole('alert').filter({ hasText: 'takes Image' })
  await refusal.getByRole('button', { name: 'Close' }).click()

  await from.click()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Choose an input that takes Text')).toHaveCount(0)
  await canvas.port('Text to speech', 'Text').click()
  await expect(page.getByText('Choose an output that gives Text')).toBeVisible()
  await page.keyboard.press('Escape')

  await from.click()
  await page.locator('.react-flow__pane').click({ position: { x: 620, y: 760 } })
  const popup = page.getByRole('region', { name: 'Nodes that take Text' })
  await popup.getByRole('button', { name: 'Language model' }).click()
  await expect(canvas.edges).toHaveCount(2)
})
