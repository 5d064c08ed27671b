import { expect, expectAccessibleInBothThemes, keptTest as test } from '../fixtures'
import { createFlow, flowNode } from './canvas'
import { composeFlow, openNewFlow } from './flows'

test('an Agent node opens the agent inside it, and the way back shows the changed ports', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const inner = await createFlow(request, server.url, token, { name: 'Slogan writer', flow: composeFlow() })
  const flow = { nodes: [flowNode('part', 'agent', 0, 0, { flow: inner })], edges: [] }
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { name: 'Campaign', flow })
  const back = page.getByRole('button', { name: 'Back to Campaign', exact: true })
  await expect(canvas.port('Agent', 'User prompt')).toBeVisible()
  await expect(back).toHaveCount(0)

  await test.step('by the menu; the address keeps the way back', async () => {
    await canvas.card('Agent').getByRole('heading').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open inside' }).click()
    await expect(canvas.card('Compose')).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/flow/${inner}\\?`))
    await expect(back).toBeVisible()
    await expectAccessibleInBothThemes(page, '[data-region=actions]')
    await page.reload()
    await expect(canvas.card('Compose')).toBeVisible()
  })

  await test.step('an input removed inside is no port of the node outside', async () => {
    await canvas.select('User prompt')
    await page.keyboard.press('Delete')
    await expect(canvas.cards).toHaveCount(1)
    await back.click()
    await expect(page).toHaveURL(new RegExp(`/flow/${id}$`))
    await expect(canvas.port('Agent', 'Compose')).toBeVisible()
    await expect(canvas.port('Agent', 'User prompt')).toHaveCount(0)
  })

  await test.step('by keyboard', async () => {
    await canvas.select('Agent')
    await canvas.card('Agent').focus()
    await page.keyboard.press('o')
    await expect(canvas.card('Compose')).toBeVisible()
    await back.press('Enter')
    await expect(canvas.card('Agent')).toBeVisible()
  })
})
