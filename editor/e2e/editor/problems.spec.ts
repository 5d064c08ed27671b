import { expect, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

test('a missing key shows before and after Run with what mends it; an unused empty input is a warning', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const flow = {
    nodes: [
      flowNode('ask', 'user_prompt', 0, 0, { text: 'A can' }),
      flowNode('paint', 'image_generation', 340, 0, { provider: 'replicate' }),
      { ...flowNode('unused', 'user_prompt', 0, 240, { tone: 'dry' }), title: 'Unused' },
    ],
    edges: [{ from: 'ask.output', to: 'paint.prompt' }],
  }
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const card = canvas.card('Image generation')
  await expect(card).toContainText('Replicate needs a key.')
  await expect(card.getByRole('article')).toHaveAccessibleName(/Replicate needs a key/)

  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('region', { name: 'Problems' })
  await expect(dialog).toContainText('The run was not started. Nothing was spent.')
  const missing = dialog.getByRole('listitem').filter({ hasText: 'Replicate' })
  await expect(missing).toContainText('Replicate needs a key.')
  const unknown = dialog.getByRole('listitem').filter({ hasText: 'Unused has no setting tone' })
  await unknown.getByRole('button', { name: 'Remove the setting' }).click()
  await expect(unknown).toBeHidden()
  await expect(missing.getByRole('link', { name: 'Add a key' })).toHaveAttribute(
    'href',
    '/account/#provider-keys',
  )
  await missing.getByRole('button', { name: 'Choose another model' }).click()
  await expect(page.getByRole('region', { name: 'Run refused' })).toContainText('Solve 1 problem')
  await canvas.inspector.getByRole('combobox', { name: 'Provider' }).click()
  await page.getByRole('option', { name: /computer|local|machine/i }).click()
  await expect(card).not.toContainText('needs a key')
  await expect(page.getByRole('region', { name: 'Run refused' })).toContainText('The problems are solved')

  await page.getByRole('button', { name: '1 problem' }).click()
  await expect(dialog.getByRole('listitem')).toContainText('nothing uses it')
  await page.keyboard.press('Escape')
  // Enter alone opens the connections of the port.
  await card.getByRole('button', { name: /^Images/ }).press('Control+Enter')
  await expect(page.getByRole('region', { name: /^Run 1/ })).toContainText('Finished')
  await expect(canvas.card('Unused')).toContainText('Skipped: no value')
})
