import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { addAuthenticator } from './fixtures/authenticator'
import { driver, expectDialogOnPhone, expectOneRequest, PHONE } from './fixtures/dialogs'

test.use({ viewport: PHONE, hasTouch: true })

/** Fills in the password that a dialog asks for, with the focus left in its field. */
async function fillPassword(page: Page, password: string): Promise<void> {
  const field = page.getByRole('dialog').getByLabel('Current password')
  await field.fill(password)
  await expect(field).toBeFocused()
}

test('the dialogs of passkeys, recovery codes and the authenticator app work on a phone', {
  tag: '@thorough',
}, async ({ signedInPage: page, user }) => {
  const drive = driver(page)
  await addAuthenticator(page)
  await page.goto('/account/')
  const add = page.getByRole('button', { name: 'Add passkey' })
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await drive('Add passkey', add)

  await test.step('Enter pressed twice adds one passkey', async () => {
    await add.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add passkey' })
    await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
    await page.keyboard.type('Praxisrechner am Empfangstresen')
    await fillPassword(page, user.password)
    await expectOneRequest(page, '**/passkeys/options', () => expect(codes).toBeVisible())
    await page.keyboard.press('Escape')
    await expect(add).toBeFocused()
    await expect(page.getByRole('button', { name: /^Rename/ })).toHaveCount(1)
  })

  const rename = page.getByRole('button', { name: /^Rename/ })
  await drive('Rename passkey', rename)
  await test.step('Enter pressed twice renames a passkey once', async () => {
    await rename.press('Enter')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Tresen')
    const renamed = page.getByRole('button', { name: 'Rename Tresen' })
    await expectOneRequest(page, '**/passkeys/**', () => expect(renamed).toBeFocused())
  })
  await drive('Remove passkey?', page.getByRole('button', { name: 'Remove Tresen' }))

  const fresh = page.getByRole('button', { name: 'New codes' })
  await drive('Replace recovery codes?', fresh)
  await test.step('Your recovery codes', async () => {
    const open = async () => {
      await fresh.press('Enter')
      await fillPassword(page, user.password)
      await page.keyboard.press('Enter')
    }
    await expectDialogOnPhone({ page, name: 'Your recovery codes', open, back: fresh })
  })

  const setUp = page.getByRole('button', { name: 'Set up' })
  await test.step('Authenticator app', async () => {
    const open = async () => {
      await setUp.press('Enter')
      await fillPassword(page, user.password)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
    }
    await expectDialogOnPhone({ page, name: 'Authenticator app', open, back: setUp })
  })
})
