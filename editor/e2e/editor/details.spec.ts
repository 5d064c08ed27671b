import { expect, keptTest as test } from '../fixtures'
import { Canvas } from './canvas'
import { composeFlow, openNewFlow } from './flows'

test('a new note takes the cursor and shows Markdown, a double click adds a node, and another tab follows Publish', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow: composeFlow() })
  const other = new Canvas(await page.context().newPage())
  await other.open(id)
  await page.bringToFront()

  await page.getByRole('button', { name: 'Add a note' }).click()
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused()
  await page.keyboard.type('Use **brand** colors')
  await canvas.select('Compose')
  await expect(page.locator('.react-flow__node-note strong')).toHaveText('brand')

  await page.locator('.react-flow__pane').dblclick({ position: { x: 520, y: 620 } })
  const popover = page.getByRole('region', { name: 'Nodes' }).getByRole('searchbox').last()
  await expect(popover).toBeFocused()
  await page.keyboard.type('tts')
  await page.keyboard.press('Enter')
  await expect(canvas.card('Text to speech')).toBeVisible()
  await page.keyboard.press('Control+z')

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  for (const tab of [page, other.page])
    await expect(tab.locator('[data-region=actions]')).toContainText('Published')
  await expect(page.getByText('Draft is ahead of version 1')).toHaveCount(0)
  await canvas.select('Compose')
  await canvas.inspector.getByRole('textbox', { name: 'Node name' }).fill('Say it')
  await expect(page.getByText('Draft is ahead of version 1')).toBeVisible()
})
