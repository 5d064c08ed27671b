import { expect, test } from '../fixtures'
import { openNewFlow } from './flows'

test('an empty canvas starts from a template, as one undo step', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas } = await openNewFlow({ page, server, token, request })
  await page.getByRole('button', { name: 'Start from a template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start from a template' })
  await dialog.getByRole('listitem').first().getByRole('button').click()
  await expect(dialog).toHaveCount(0)
  await expect(canvas.cards.first()).toBeVisible()
  await expect(canvas.edges.first()).toBeAttached()
  await expect.poll(() => canvas.overlaps()).toEqual([])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(canvas.cards).toHaveCount(0)
})
