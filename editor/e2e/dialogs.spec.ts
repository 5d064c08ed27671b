import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { Canvas, createFlow, flowNode } from './editor/canvas'
import { expect, type Server, test } from './fixtures'
import { expectDialogOnPhone, PHONE } from './fixtures/dialogs'
import { imageFile } from './fixtures/image-file'

/** One word without a place to break, longer than a line of a phone. */
const WORD = 'Weihnachtsmarktglühweinausschankgenehmigungsantragsformular'
const MIXED = `${WORD} مهرجان القهوة الباردة 冷萃咖啡 <b>&amp;</b>`

const API = (server: Server) => `${server.url}/api/v1`

test.use({ viewport: PHONE, hasTouch: true })

/** Drives dialogs of a page that one press opens. */
function driver(page: Page) {
  return async (name: string | RegExp, opener: Locator) => {
    const open = async () => {
      await expect(opener).toBeEnabled()
      await opener.press('Enter')
    }
    await test.step(String(name), () => expectDialogOnPhone({ page, name, open, back: opener }))
  }
}

/** Drives dialogs that an item of a menu opens. */
function menuDriver(page: Page) {
  return async (name: string | RegExp, trigger: Locator, item: string | RegExp) => {
    const open = async () => {
      await trigger.press('Enter')
      await page.getByRole('menuitem', { name: item }).press('Enter')
    }
    await test.step(String(name), () => expectDialogOnPhone({ page, name, open, back: trigger }))
  }
}

async function post(request: APIRequestContext, url: string, token: string, data: object) {
  const response = await request.post(url, { data, headers: { Authorization: `Bearer ${token}` } })
  expect(response.ok(), await response.text()).toBe(true)
  return response.json()
}

async function uploadTwo(page: Page, server: Server, token: string): Promise<void> {
  for (const [at, name] of [`${WORD}.png`, 'قهوة.png'].entries()) {
    const multipart = { file: imageFile(name, 640 + 40 * at, 480) }
    const headers = { Authorization: `Bearer ${token}` }
    const sent = await page.request.post(`${API(server)}/assets/`, { multipart, headers })
    expect(sent.status()).toBe(201)
  }
}

test('the dialogs of Home, Agents and Runs work on a phone', async ({
  signedInPage: page,
  server,
  token,
  request,
  user,
}) => {
  const drive = driver(page)
  const fromMenu = menuDriver(page)
  const launch = page.getByRole('button', { name: 'Launch', exact: true })
  const id = await createFlow(request, server.url, token, {
    name: MIXED,
    flow: {
      nodes: [
        flowNode('ask', 'user_prompt', 0, 0, { text: MIXED }),
        flowNode('draw', 'image_generation', 400, 0, { provider: 'local', n_images: 2 }),
      ],
      edges: [{ from: 'ask.output', to: 'draw.prompt' }],
    },
  })
  const { id: run } = await post(request, `${API(server)}/flows/${id}/runs`, token, { version: 'draft' })

  await page.goto('/flow/')
  await drive('Create a new flow', page.getByRole('button', { name: 'Create a new flow' }).first())
  await page.goto('/flow/?tab=own')
  await fromMenu('Edit agent', page.getByRole('button', { name: /^Actions for/ }), 'Edit')

  await page.goto(`/run/${run}`)
  const first = page.getByRole('button', { name: /^View / }).first()
  await drive('Image generation 1 of 2', first)
  await first.press('Enter')
  await drive('Crop', page.getByRole('button', { name: 'Crop', exact: true }))
  await page.keyboard.press('Escape')

  await page.goto('/')
  await page.getByRole('radio', { name: 'Reel Maker' }).click()
  await page.getByLabel('Your prompt').fill(MIXED)
  await drive('Reel Maker is in private beta', launch)
  await server.admin('set-quota', user.username, '0')
  await page.getByRole('radio', { name: 'Brand Voice Writer' }).click()
  await drive(/runs? today|quota|limit/i, launch)
})

test('the dialogs of the library work on a phone', async ({ signedInPage: page, server, token, request }) => {
  const drive = driver(page)
  const fromMenu = menuDriver(page)
  await uploadTwo(page, server, token)
  const collection = await post(request, `${API(server)}/collections`, token, { name: WORD })

  await page.goto('/library')
  const asset = page.getByRole('button', { name: `Open ${WORD}.png` })
  await drive(`${WORD}.png`, asset)
  await asset.press('Enter')
  await drive('Crop', page.getByRole('button', { name: 'Crop', exact: true }))
  await page.keyboard.press('Escape')
  for (const name of [`${WORD}.png`, 'قهوة.png'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  const toolbar = page.getByRole('toolbar')
  await drive('Tags', toolbar.getByRole('button', { name: 'Tags' }))
  await drive('Add to collection', toolbar.getByRole('button', { name: 'Add to collection' }))
  await drive('Compare', toolbar.getByRole('button', { name: 'Compare' }))
  await drive('Send to agent', toolbar.getByRole('button', { name: 'Send to agent' }))
  await page.goto(`/library?collection_id=${collection.id}`)
  await fromMenu(/Rename/, page.getByRole('button', { name: /^More/ }), /Rename/)
})

test('the dialogs of brands work on a phone', async ({ signedInPage: page, server, token, request }) => {
  const drive = driver(page)
  const brand = await post(request, `${API(server)}/brands`, token, {
    name: WORD,
    description: MIXED,
    colors: [{ hex: '#de8b3a', role: 'primary', name: WORD }],
    voice: { tone: [WORD], banned_words: [WORD] },
  })
  await post(request, `${API(server)}/brands/${brand.id}/publish`, token, { note: MIXED })

  await page.goto('/brands')
  await drive('New brand', page.getByRole('button', { name: /New brand/ }).first())
  await page.goto(`/brands/${brand.id}`)
  await page.getByRole('button', { name: 'Add colour' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
  await drive('Publish version 2', page.getByRole('button', { name: 'Publish version 2' }))
})

test('the dialogs of the account work on a phone', async ({ signedInPage: page }) => {
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

test('the dialogs before signing in work on a phone', async ({ page }) => {
  const drive = driver(page)
  await page.goto('/signup')
  await drive('Terms', page.getByRole('button', { name: /Terms/ }))
  await drive('Privacy policy', page.getByRole('button', { name: /Privacy/ }))
})

test('the dialogs of the editor work on a phone', async ({ signedInPage: page, server, token, request }) => {
  const agent = await createFlow(request, server.url, token, {
    name: MIXED,
    flow: { nodes: [flowNode('ask', 'user_prompt', 0, 0, { text: MIXED })] },
  })
  await post(request, `${API(server)}/flows/${agent}/publish`, token, { note: MIXED })
  const id = await createFlow(request, server.url, token, {
    name: MIXED,
    flow: {
      nodes: [
        { ...flowNode('ask', 'user_prompt', 0, 0, { text: MIXED }), title: WORD },
        flowNode('draw', 'image_generation', 0, 500, { provider: 'local' }),
      ],
      edges: [{ from: 'ask.output', to: 'draw.prompt' }],
    },
  })
  const canvas = new Canvas(page)
  await canvas.open(id)
  const card = page.locator('[data-id="ask"]')

  /** Opens a dialog by the command palette, from the card that has the focus. */
  const command = (name: string | RegExp, label: string) =>
    test.step(`${name}`, () =>
      expectDialogOnPhone({
        page,
        name,
        back: card,
        open: async () => {
          await card.focus()
          await page.keyboard.press('Control+k')
          await page.getByRole('combobox').fill(label)
          await page.keyboard.press('Enter')
        },
      }))
  await command('Publish', 'Publish')
  await command('Settings for launchers', 'Settings for launchers')
  await command('Start from a template', 'Start from a template')
  await command('Insert a node', 'Insert a node into a connection')
  await command('Find on the canvas', 'Find on the canvas')
  await command('Variables', 'Variables')
  await command('Problems', 'Problems')
  await command('Past runs', 'Past runs')
  await command('Keyboard shortcuts', 'Keyboard shortcuts')
  await command(/^Swap/, 'Swap for another node')
  await command('Make an agent', 'Make an agent of these nodes')
  await command(/^Compare settings of/, 'Compare settings')
})
