import type { Page } from '@playwright/test'
import { createFlow, flowNode, typeInSearch } from './editor/canvas'
import { expect, type Server, keptTest as test } from './fixtures'
import {
  apiOf,
  closeByEscape,
  driver,
  expectDialogOnPhone,
  expectOneRequest,
  MIXED,
  menuDriver,
  PHONE,
  post,
  WORD,
} from './fixtures/dialogs'
import { drawScene, dropFile, imageFile } from './fixtures/image-file'
import { Website } from './fixtures/website'

const CONNECTED = { state: 'connected', code: null, message: null, seconds: 0.4, models: 12, voices: null }

test.use({ viewport: PHONE, hasTouch: true })

async function uploadTwo(page: Page, server: Server, token: string): Promise<void> {
  for (const [at, name] of [`${WORD}.png`, 'قهوة.png'].entries()) {
    const multipart = { file: imageFile(name, 640 + 40 * at, 480) }
    const headers = { Authorization: `Bearer ${token}` }
    const sent = await page.request.post(`${apiOf(server)}/assets/`, { multipart, headers })
    expect(sent.status()).toBe(201)
  }
}

test('the dialogs of Home, Agents and Runs work on a phone', { tag: '@thorough' }, async ({
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
  const { id: run } = await post(request, `${apiOf(server)}/flows/${id}/runs`, token, { version: 'draft' })

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

test('the dialogs of the library work on a phone', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const drive = driver(page)
  const fromMenu = menuDriver(page)
  await uploadTwo(page, server, token)
  const collection = await post(request, `${apiOf(server)}/collections`, token, { name: WORD })

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

test('the dialogs of brands work on a phone', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const drive = driver(page)
  const brand = await post(request, `${apiOf(server)}/brands`, token, {
    name: WORD,
    description: MIXED,
    colors: [{ hex: '#de8b3a', role: 'primary', name: WORD }],
    voice: { tone: [WORD], banned_words: [WORD] },
  })
  await post(request, `${apiOf(server)}/brands/${brand.id}/publish`, token, { note: MIXED })

  await page.goto('/brands')
  await drive('New brand', page.getByRole('button', { name: /New brand/ }).first())
  await page.goto(`/brands/${brand.id}`)
  await page.getByRole('button', { name: 'Add colour' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
  await drive('Publish version 2', page.getByRole('button', { name: 'Publish version 2' }))
})

test('the dialogs that bring a brand in and compare its versions work on a phone', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const drive = driver(page)
  await page.goto('/brands')
  for (const name of ['From a website', 'From a PDF', 'From images', 'From another Impasto'])
    await drive(name, page.getByRole('button', { name: new RegExp(`^${name}`) }))

  const website = await Website.start()
  try {
    const source = page.getByRole('button', { name: /^From a website/ })
    await test.step('what was found', () =>
      expectDialogOnPhone({
        page,
        name: 'From a website',
        back: source,
        open: async () => {
          await source.press('Enter')
          await page.getByLabel('Address of the website').fill(website.url)
          await page.keyboard.press('Enter')
          await expect(page.getByRole('button', { name: 'Create brand' })).toBeVisible()
        },
      }))
    await test.step('Enter pressed twice creates one brand', async () => {
      await source.press('Enter')
      await page.getByLabel('Address of the website').fill(website.url)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Create brand' }).focus()
      await expectOneRequest(page, /\/api\/v1\/brands\/?$/, () =>
        expect(page.getByRole('heading', { level: 1, name: 'Praxis Öhler' })).toBeVisible(),
      )
    })
  } finally {
    await website.stop()
  }

  const brand = await post(request, `${apiOf(server)}/brands`, token, { name: WORD, description: MIXED })
  await post(request, `${apiOf(server)}/brands/${brand.id}/publish`, token, { note: MIXED })
  await page.goto(`/brands/${brand.id}`)
  await page.getByRole('button', { name: 'Add colour' }).click()
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible()
  const more = page.getByRole('button', { name: 'Actions for version 1' })
  await menuDriver(page)('Version 1 and the draft', more, 'Compare with the draft')
})

test('the dialogs of results side by side and of a dropped file work on a phone', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const id = await createFlow(request, server.url, token, {
    name: MIXED,
    flow: {
      nodes: [
        flowNode('ask', 'user_prompt', 0, 0, { text: MIXED }),
        { ...flowNode('draw', 'image_generation', 400, 0, { provider: 'local', n_images: 2 }), title: WORD },
      ],
      edges: [{ from: 'ask.output', to: 'draw.prompt' }],
    },
  })
  const { id: run } = await post(request, `${apiOf(server)}/flows/${id}/runs`, token, { version: 'draft' })
  await page.goto(`/run/${run}`)
  const tiles = page.getByRole('button', { name: /^More/ })
  await expect(page.getByRole('button', { name: /^View / })).toHaveCount(2)
  const pick = async (at: number) => {
    await tiles.nth(at).press('Enter')
    await page.getByRole('menuitem', { name: 'Compare' }).press('Enter')
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  await test.step('Side by side', () =>
    expectDialogOnPhone({
      page,
      name: 'Side by side',
      back: tiles.nth(1),
      open: async () => {
        await pick(0)
        await pick(1)
      },
    }))

  await page.goto('/')
  await expect(page.getByRole('radio').first()).toBeVisible()
  const buffer = Buffer.from(await drawScene(page, 300), 'base64')
  const multipart = { file: { name: `${WORD}.png`, mimeType: 'image/png', buffer } }
  const headers = { Authorization: `Bearer ${token}` }
  const sent = await page.request.post(`${apiOf(server)}/assets/`, { multipart, headers })
  expect(sent.status()).toBe(201)
  const copy = await drawScene(page, 200)
  const prompt = page.getByLabel('Your prompt')
  await prompt.focus()
  await test.step('Made here?', () =>
    expectDialogOnPhone({
      page,
      name: 'Made here?',
      // The notice is gone once its button was pressed.
      back: prompt,
      open: async () => {
        await dropFile(page, `${WORD}.png`, copy)
        await page.getByRole('button', { name: 'Details' }).press('Enter')
      },
    }))
})

test('a provider is connected from Customize on a phone, with what was typed kept', {
  tag: '@thorough',
}, async ({ signedInPage: page }) => {
  await page.route('**/connections/openai/test', (route) => route.fulfill({ json: CONNECTED }))
  await page.goto('/')
  await page.getByRole('radio', { name: 'Brand Voice Writer' }).click()
  await page.getByLabel('Your prompt').fill(MIXED)
  await page.getByRole('button', { name: 'Customize' }).click()
  const model = page.getByRole('combobox', { name: /model/i }).first()
  const open = async (choice = 'Home') => {
    await model.press('Enter')
    await typeInSearch(page, 'gpt-5-mini')
    await expect(page.getByRole('option', { name: /OpenAI.*Connect/ })).toHaveCount(2)
    await page.keyboard.press(choice)
    await page.keyboard.press('Enter')
  }
  await test.step('the same model of another provider', async () => {
    await open('End')
    await expect(page.getByRole('dialog', { name: 'Connect Azure OpenAI' })).toBeVisible()
    await closeByEscape(page.getByRole('dialog', { name: 'Connect Azure OpenAI' }))
    await expect(model).toBeFocused()
  })
  await test.step('Connect OpenAI', () =>
    expectDialogOnPhone({ page, name: 'Connect OpenAI', open, back: model }))
  await open()
  const dialog = page.getByRole('dialog', { name: 'Connect OpenAI' })
  await dialog.getByLabel('Key', { exact: true }).fill('sk-first-abcd')
  await expectOneRequest(page, '**/credentials/openai', () => expect(dialog).toHaveCount(0))
  await expect(page.getByLabel('Your prompt')).toHaveValue(MIXED)
})
