import {
  deleteForGood,
  expect,
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
  keptTest as test,
  toast,
} from './fixtures'

const tested = (state: 'connected' | 'failed') => ({
  state,
  code: state === 'failed' ? 'wrong_credential' : null,
  message: state === 'failed' ? 'OpenAI did not accept the key.' : null,
  seconds: 0.4,
  models: state === 'connected' ? 12 : null,
  voices: null,
})

test('a key is added, tested, found wrong and removed by keyboard', async ({ signedInPage: page }) => {
  let state: 'connected' | 'failed' = 'connected'
  await page.route('**/connections/openai/test', (route) => route.fulfill({ json: tested(state) }))
  await page.goto('/account/')
  await page.getByRole('link', { name: 'Connections' }).click()
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'OpenAI', exact: true }) })
  await expect(row.getByText('No key')).toBeVisible()
  await expect(page.getByText('Always there')).toBeVisible()

  await row.getByRole('button', { name: 'Add a key for OpenAI' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Key for OpenAI' })
  await dialog.getByLabel('Key', { exact: true }).fill('short')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Key must be at least 8 characters.')).toBeVisible()
  await dialog.getByLabel('Key', { exact: true }).fill('sk-first-abcd')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Key for OpenAI saved.')).toBeVisible()
  await expect(row.getByText('Key ends in abcd')).toBeVisible()
  await expect(row.getByText('Connected')).toBeVisible()
  await expect(row.getByText('12 models')).toBeVisible()

  state = 'failed'
  await row.getByRole('button', { name: 'Test OpenAI' }).click()
  await expect(row.getByText('OpenAI did not accept the key.')).toBeVisible()

  await row.getByRole('button', { name: 'More for OpenAI' }).click()
  await deleteForGood(page, () => page.getByRole('menuitem', { name: 'Remove the key' }).click())
  await expect(row.getByText('No key')).toBeVisible()
})

test('a user names the address of a server that the operator allows, and stops using it', {
  tag: '@thorough',
}, async ({ signedInPage: page, providers: _, fakePorts }) => {
  const address = `http://127.0.0.1:${fakePorts.providers}/ollama`
  await page.goto('/account/connections')
  const row = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Ollama', exact: true }) })
  await row.getByRole('button', { name: 'Enter the address of Ollama' }).click()
  const dialog = page.getByRole('dialog', { name: 'Address of Ollama' })
  await dialog.getByLabel('Address').fill('http://169.254.169.254')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(/allows addresses at 127\.0\.0\.1/)).toBeVisible()
  await dialog.getByLabel('Address').fill(address)
  await page.keyboard.press('Enter')
  await expect(row.getByText(address)).toBeVisible()
  await expect(row.getByText('Connected')).toBeVisible()

  await row.getByRole('button', { name: 'More for Ollama' }).click()
  await page.getByRole('menuitem', { name: 'Stop using' }).click()
  await expect(row.getByText('name the address of your server')).toBeVisible()
})

test('axe finds no violations, and the page fits 390 px', { tag: '@thorough' }, async ({
  signedInPage: page,
}) => {
  await page.goto('/account/connections')
  await expect(page.getByText('Always there')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoHorizontalScroll(page)
})

test('the list can be loaded again after an error', { tag: '@thorough' }, async ({ signedInPage: page }) => {
  await page.route('**/api/v1/connections', (route) => route.abort())
  await page.goto('/account/connections')
  await expect(page.getByText('Your connections could not be loaded.')).toBeVisible()
  await page.unroute('**/api/v1/connections')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Always there')).toBeVisible()
})
