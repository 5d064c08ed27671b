import { expect, expectAccessibleInBothThemes, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

test('a setting is made an input of the agent, limited, undone, and set by a launcher', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const nodes = [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'A lamp' }),
    flowNode('paint', 'image_generation', 420, 0, { provider: 'local' }),
  ]
  const flow = { nodes, edges: [{ from: 'ask.output', to: 'paint.prompt' }] }
  const { canvas, id } = await openNewFlow({ page, server, token, request }, { name: 'Lamps', flow })

  await canvas.select('Image generation')
  await canvas.inspector.getByRole('button', { name: 'Make Number of images an input of the agent' }).click()
  const form = canvas.inspector.getByRole('group', { name: 'Number of images as an input of the agent' })
  await form.getByLabel('Label').fill('How many')
  await form.getByLabel('Largest').fill('2')
  await expect(
    canvas.card('Image generation').getByRole('img', { name: /Inputs of the agent: How many/ }),
  ).toBeVisible()
  await canvas.card('Image generation').focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Make an input of the agent' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('menuitem', { name: 'Number of images' })).toBeHidden()
  await page.getByRole('menuitem', { name: 'Aspect ratio' }).press('Enter')
  await expect(page.getByRole('menu')).toHaveCount(0)
  const ratios = canvas.inspector
    .getByRole('group', { name: 'Aspect ratio as an input of the agent' })
    .getByRole('checkbox')
  await expect(ratios).not.toHaveCount(0)
  const others = (await ratios.all()).slice(1)
  for (const ratio of others) await ratio.click()
  await expect(ratios.first()).toBeChecked()
  await expect(ratios.first()).toBeDisabled()
  await expect(canvas.inspector.getByText('One value must stay allowed.')).toBeVisible()
  await expectAccessibleInBothThemes(page, '[data-region=inspector]')
  await form.getByRole('button', { name: 'Hide from launchers' }).click()
  await expect(form).toBeHidden()
  await canvas.card('Image generation').focus()
  await page.keyboard.press('Control+z')
  await expect(form.getByLabel('Largest')).toHaveValue('2')
  await canvas.save()

  const headers = { Authorization: `Bearer ${token}`, 'If-Match': '*' }
  const published = await request.post(`${server.url}/api/v1/flows/${id}/publish`, { headers, data: {} })
  expect(published.status(), await published.text()).toBeLessThan(300)
  await page.goto(`/`)
  await page.getByRole('tab', { name: 'Your Agents' }).click()
  await page.getByRole('radio', { name: 'Lamps' }).click()
  await page.getByRole('button', { name: 'Customize' }).click()
  const panel = page.getByRole('region', { name: 'Customize' })
  const count = panel
    .getByRole('group', { name: 'Image generation' })
    .getByRole('spinbutton', { name: 'How many' })
  await expect(count).toHaveAttribute('aria-valuemax', '2')
  await count.press('End')
  await page.getByLabel('Your prompt').fill('A lamp of brass')
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await expect(page.getByRole('button', { name: /^View Image generation/ })).toHaveCount(2)
})
