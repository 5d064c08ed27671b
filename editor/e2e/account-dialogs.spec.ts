import { keptTest as test } from './fixtures'
import { driver, expectDialogOnPhone, PHONE } from './fixtures/dialogs'
import { imageFile } from './fixtures/image-file'

test.use({ viewport: PHONE, hasTouch: true })

test('the dialogs of the account work on a phone', { tag: '@thorough' }, async ({ signedInPage: page }) => {
  const drive = driver(page)
  await page.goto('/account/')
  await drive('New API key', page.getByRole('button', { name: 'New API key' }))
  await drive('Change email', page.getByRole('button', { name: 'Change email' }))
  await drive('Delete your account?', page.getByRole('button', { name: 'Delete account' }))
  await drive(/./, page.getByRole('button', { name: 'Set up' }))
  const avatar = page.getByRole('button', { name: /avatar|photo|picture/i }).first()
  const open = async () => {
    await avatar.focus()
    await page.locator('input[type=file]').setInputFiles(imageFile('portrait.png', 640, 480))
  }
  await test.step('Your avatar', () => expectDialogOnPhone({ page, name: 'Your avatar', open, back: avatar }))
  await page.goto('/account/connections')
  await page.waitForLoadState('networkidle')
  await drive(/./, page.getByRole('button', { name: 'Add a connection' }))
  await drive('Key for OpenAI', page.getByRole('button', { name: 'Add a key for OpenAI', exact: true }))
})

for (const [name, tag] of [
  ['Terms', []],
  ['Privacy policy', ['@thorough']],
] as const) {
  test(`the dialog ${name} before signing in works on a phone`, { tag: [...tag] }, async ({ page }) => {
    await page.goto('/signup')
    await driver(page)(name, page.getByRole('button', { name }))
  })
}
