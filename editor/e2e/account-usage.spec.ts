import { expect, expectAccessibleInBothThemes, expectNoHorizontalScroll, keptTest as test } from './fixtures'
import { imageFile } from './fixtures/image-file'

test('usage shows each limit, what is used of it, and what to do near it', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  user,
}) => {
  const file = imageFile('jug.png', 64, 64)
  const headers = { Authorization: `Bearer ${token}` }
  const stored = await page.request.post(`${server.url}/api/v1/assets/`, { headers, multipart: { file } })
  expect(stored.status()).toBe(201)
  await server.admin('set-limits', user.username, '--assets', '1', '--usd-per-day', '2.50')

  await page.goto('/account/')
  const usage = page.getByRole('region', { name: 'Usage' })
  await expect(usage.getByRole('meter', { name: 'Assets' })).toHaveAttribute('aria-valuetext', '1 of 1')
  await expect(usage.getByText('Limit reached. Delete assets that you no longer need.')).toBeVisible()
  await expect(usage.getByText('$0.00 of $2.50')).toBeVisible()
  await expect(usage.getByRole('link', { name: 'Book a call' })).toBeVisible()
  await expectAccessibleInBothThemes(page)

  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoHorizontalScroll(page)
  await expectAccessibleInBothThemes(page)

  const refused = await page.request.post(`${server.url}/api/v1/assets/`, { headers, multipart: { file } })
  expect(refused.status()).toBe(413)
  expect((await refused.json()).code).toBe('assets_limit')
})
