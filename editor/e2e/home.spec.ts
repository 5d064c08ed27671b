import { expect, keptTest as test } from './fixtures'
import { imageFile } from './fixtures/image-file'
import { holdRequests } from './fixtures/interception'

const QUOTA = 'You exceeded your daily quota. Book a call with us to unlock more.'

test('shows the question and the agents in two tabs', async ({ signedInPage: page }) => {
  const flowsRequested = page.waitForRequest((request) =>
    request.url().includes('/api/v1/flows/?include_all=false'),
  )
  await page.goto('/')
  await flowsRequested
  await expect(page.getByRole('heading', { name: 'What do you need today ?' })).toBeVisible()
  await expect(page.getByText('Select an agent and start creating assets')).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Product Launch Kit' })).toBeVisible()
  await expect(page.getByText(/^50 of 50 runs left today$/)).toBeVisible()
  await page.getByRole('tab', { name: 'Your Agents' }).click()
  await expect(page.getByText('No private agents available')).toBeVisible()
  await page.getByRole('tab', { name: 'Impasto Agents' }).click()
  await page.getByLabel('Search agents').fill('no such agent')
  await expect(page.getByText('No results found')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('radio', { name: 'Storyboard' })).toBeVisible()
})

test('only the assets of the draft are requested, not the whole library', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
}) => {
  const headers = { Authorization: `Bearer ${token}` }
  const multipart = { file: imageFile('can.png', 60, 40) }
  const uploaded = await page.request.post(`${server.url}/api/v1/assets/`, { multipart, headers })
  expect(uploaded.ok(), await uploaded.text()).toBe(true)
  const { id } = await uploaded.json()
  const requests: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'GET' && pathname === '/api/v1/assets/') requests.push(search)
  })
  await page.goto('/')
  await expect(page.getByRole('radio', { name: 'Product Launch Kit' })).toBeVisible()
  expect(requests).toEqual([])
  await page.goto(`/?images=${encodeURIComponent(JSON.stringify([id]))}`)
  await expect(page.getByRole('radio', { name: 'Product Launch Kit' })).toBeVisible()
  expect([...new Set(requests)]).toEqual([`?asset_ids=${id}`])
})

test('no tab is selected until it is known whose agent the address names', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
}) => {
  const post = async (path: string, data: object) => {
    const headers = { Authorization: `Bearer ${token}` }
    const response = await page.request.post(`${server.url}/api/v1${path}`, { data, headers })
    expect(response.ok(), await response.text()).toBe(true)
    return response.json()
  }
  const prompt = { id: 'prompt', type: 'user_prompt', version: 1, title: 'Menu', settings: { text: '' } }
  const flow = { format: 1, name: 'Menu', nodes: [prompt], edges: [] }
  const { id } = await post('/flows/', { name: 'Menu', visibility: 'private', flow })
  await post(`/flows/${id}/publish`, {})
  const release = await holdRequests(page, `**/api/v1/flows/${id}`)
  await page.goto(`/?agent=${id}`)
  await expect(page.getByRole('tab', { name: 'Impasto Agents' })).toBeVisible()
  await expect(page.getByRole('tab', { selected: true })).toHaveCount(0)
  release()
  await expect(page.getByRole('tab', { name: 'Your Agents', selected: true })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Menu', checked: true })).toBeVisible()
})

test('tabs and kinds are readable on a phone', { tag: '@thorough' }, async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  const tab = page.getByRole('tab', { name: 'Your Agents' })
  await tab.scrollIntoViewIfNeeded()
  // A part that its scrolling parent clips still counts as visible, but has no point to press.
  const isHit = (found: SVGElement | HTMLElement) => {
    const { x, y, width, height } = found.getBoundingClientRect()
    return found.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  }
  await expect.poll(() => tab.evaluate(isHit)).toBe(true)
  await expect.poll(() => page.getByRole('tab', { name: 'Impasto Agents' }).evaluate(isHit)).toBe(true)

  await page.goto('/library')
  const label = page.getByRole('radio', { name: 'Images' }).locator('span')
  await expect(label).toBeVisible()
  await expect.poll(() => label.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0)
})

test('accepts images by upload, drop and paste, and explains rejected files', async ({
  signedInPage: page,
}) => {
  await page.goto('/')
  await page.getByRole('radio', { name: 'Product Launch Kit' }).click()
  const images = page.getByRole('list', { name: 'Images' }).getByRole('listitem')
  await page.locator('input[type=file]').setInputFiles(imageFile('can.png', 40, 50))
  await expect(images).toHaveCount(1)
  for (const kind of ['drop', 'paste'] as const) {
    const data = await page.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([new Uint8Array(bytes)], 'set.png', { type: 'image/png' }))
        return transfer
      },
      [...imageFile('set.png', 30, 30).buffer],
    )
    await page.evaluate(
      ({ kind, data }) =>
        document.body.dispatchEvent(
          kind === 'drop'
            ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
            : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        ),
      { kind, data },
    )
  }
  await expect(images).toHaveCount(3)
  await expect(page.getByText(/has no inputs for the last 2 images/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove set.png' }).first().click()
  await expect(images).toHaveCount(2)
  await page.getByRole('button', { name: 'Remove set.png' }).click()
  await expect(images).toHaveCount(1)
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') }])
  await expect(page.getByText('notes.pdf is not a PNG, JPEG, WebP or GIF image.')).toBeVisible()
  await page.getByLabel('Your prompt').fill('Persists over a reload')
  await expect(images.getByRole('progressbar')).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel('Your prompt')).toHaveValue('Persists over a reload')
  await expect(images).toHaveCount(1)
})

test('Customize opens below the prompt bar, and closing it keeps what was set', { tag: '@thorough' }, async ({
  signedInPage: page,
}) => {
  await page.goto('/')
  await page.getByRole('radio', { name: 'Product Launch Kit' }).click()
  await page.getByLabel('Your prompt').fill('A can of cold brew')
  await page.getByRole('button', { name: 'Customize' }).click()
  const panel = page.getByRole('region', { name: 'Customize' })
  await panel.getByLabel('The run stops at').fill('0.57')
  await page.getByLabel('Your prompt').fill('A can of cold brew, at dawn')
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect(panel).toBeHidden()
  await expect(page.getByRole('form', { name: 'Launch' }).getByText(/stops at \$0\.57/)).toBeVisible()
  await expect(page.getByLabel('Your prompt')).toHaveValue('A can of cold brew, at dawn')
})

test('offers a call when the daily quota is reached', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  user,
}) => {
  await server.admin('set-quota', user.username, '0')
  await page.goto('/')
  await page.getByRole('radio', { name: 'Brand Voice Writer' }).click()
  await page.getByLabel('Your prompt').fill('One line')
  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  const dialog = page.getByRole('dialog').filter({ hasText: QUOTA })
  await expect(dialog.getByText(QUOTA)).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Book a call' })).toHaveAttribute('href', /calls\.example/)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByLabel('Your prompt')).toHaveValue('One line')
})

test('offers a call for an agent in private beta', async ({ signedInPage: page }) => {
  await page.goto('/')
  await page.getByRole('radio', { name: 'Reel Maker' }).click()
  await page.getByLabel('Your prompt').fill('One line')
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: 'Reel Maker is in private beta' })
  await expect(dialog.getByRole('link', { name: 'Book a call' })).toBeVisible()
})
