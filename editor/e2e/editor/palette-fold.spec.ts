import { expect, keptTest as test } from '../fixtures'
import { expectAccessible } from '../fixtures/axe'
import { composeFlow, openNewFlow } from './flows'

test('the list of nodes folds to a button, leaves its room to the flow and stays folded', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  // Too wide for the room beside the list, but not for the whole canvas.
  const flow = composeFlow({ distance: 700 })
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const button = page.getByRole('button', { name: 'Add a node', exact: true })
  const zoom = page.getByRole('button', { name: /^Zoom \d/ })
  await expect(zoom).not.toHaveText('100%')

  await canvas.palette.getByRole('button', { name: 'Fold node list' }).press('Enter')
  await expect(canvas.palette).toBeHidden()
  await expect(button).toBeFocused()
  await expectAccessible(page)

  await page.reload()
  await expect(canvas.cards).toHaveCount(2)
  await expect(button).toBeVisible()
  await expect(canvas.palette).toBeHidden()
  await expect(zoom).toHaveText('100%')

  await page.keyboard.press('/')
  await expect(canvas.palette.getByRole('searchbox')).toBeFocused()
  await page.getByRole('button', { name: 'Zoom to fit' }).click()
  await expect(zoom).not.toHaveText('100%')
})
