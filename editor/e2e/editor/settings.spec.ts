import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, newUser, register, Server, storeSession, keptTest as test } from '../fixtures'
import { expectAccessibleInBothThemes } from '../fixtures/axe'
import { imageFile } from '../fixtures/image-file'
import { intercept } from '../fixtures/interception'
import { Canvas, createFlow, flowNode } from './canvas'
import { openNewFlow } from './flows'

const NODES = [
  flowNode('ask', 'user_prompt', 0, 0),
  flowNode('write', 'language_model', 360, 0),
  flowNode('draw', 'image_generation', 720, 0),
  flowNode('say', 'text_to_speech', 720, 330),
  flowNode('brand', 'brand_system', 0, 330),
  flowNode('cut', 'remove_background', 1080, 0),
  flowNode('shot', 'picture', 360, 400),
  flowNode('amount', 'number', 1080, 330),
  flowNode('shots', 'table', 1080, 560),
]

type Context = {
  signedInPage: Page
  server: Server
  token: string
  request: Parameters<typeof createFlow>[0]
}

async function openSettings({ signedInPage: page, server, token, request }: Context, edges: object[] = []) {
  const { id, canvas } = await openNewFlow(
    { page, server, token, request },
    { flow: { nodes: NODES, edges } },
  )
  const settings = async (node: string) => {
    await canvas.save()
    const draft = await canvas.draft(request, server.url, token, id)
    return draft.nodes.find((one) => one.id === node)?.settings
  }
  return { canvas, form: canvas.inspector, settings, keys: page.keyboard }
}

test('text, numbers and choices are filled in and saved', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas, form, settings, keys } = await openSettings({ signedInPage: page, server, token, request })

  const pending: (() => void)[] = []
  await intercept(page, /\/nodes\/text_to_speech\/options\/voice/, async (route) => {
    await new Promise<void>((go) => pending.push(go))
    await route.fulfill({ json: { items: [{ value: 'Mira', label: 'Mira', group: 'Warm' }] } })
  })
  await intercept(page, /\/nodes\/image_generation\/options\/model/, (route) =>
    route.fulfill({ status: 400, json: { error: { code: 'failed', message: 'No.' } } }),
  )

  await test.step('text lists its variables', async () => {
    await canvas.select('Language model')
    await form.getByLabel('System prompt', { exact: true }).fill('Write for {{audience}} in {{season}}.')
    await expect(form.locator('code')).toHaveText(['audience', 'season'])
    await expect(canvas.port('Language model', 'audience')).toBeAttached()
  })

  await test.step('a list of choices', async () => {
    await form.getByLabel('Output schema', { exact: true }).click()
    await page.getByRole('option').nth(1).click()
  })

  await test.step('a slider and its number field stay in sync, and report what is out of range', async () => {
    await canvas.select('Image generation')
    const slider = form.getByRole('slider', { name: 'Number of images' })
    const number = form.getByRole('spinbutton', { name: 'Number of images' })
    await number.focus()
    await keys.press('End')
    await keys.press('Backspace')
    await expect(number).toHaveValue('')
    await keys.type('7')
    await expect(slider).toHaveAttribute('aria-valuenow', '7')
    await keys.type('0')
    await expect(form.getByText('At most 8.')).toBeVisible()
    await keys.press('Backspace')
    await keys.press('Backspace')
    await number.blur()
    await expect(number).toHaveValue('7')
    await slider.focus()
    await keys.press('ArrowLeft')
    await expect(number).toHaveValue('6')
  })

  await test.step('choices as buttons', () => form.getByRole('radio', { name: '16:9' }).click())

  await test.step('choices that cannot be loaded say so, and text is accepted', async () => {
    await form.getByRole('combobox', { name: 'Model' }).click()
    const failure = page.getByRole('alert').filter({ hasText: 'The options could not be loaded.' })
    await expect(failure).toBeVisible()
    await keys.type('our-own-model')
    await page.getByRole('option', { name: 'Use “our-own-model”' }).click()
  })

  await test.step('choices are loaded when they are opened', async () => {
    await canvas.select('Text to speech')
    await expect(form.getByText('x', { exact: true })).toBeVisible()
    const voice = form.getByRole('combobox', { name: 'Voice' })
    await voice.click()
    await expect(page.getByText('Loading', { exact: true })).toBeVisible()
    await expect.poll(() => pending.length).toBeGreaterThan(0)
    for (const go of pending) go()
    await page.getByRole('option', { name: /Mira/ }).click()
    await expect(voice).toContainText('Mira')
    await expect(voice).toBeFocused()
  })

  expect(await settings('say')).toMatchObject({ voice: 'Mira' })
  expect(await settings('draw')).toMatchObject({ n_images: 6, aspect_ratio: '16:9', model: 'our-own-model' })
  const writing = await settings('write')
  expect(writing).toMatchObject({ system_prompt: 'Write for {{audience}} in {{season}}.' })
  expect(writing?.output_schema_preset).not.toBe('none')
})

test('each control saves, validates and is undone in one step', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  test.slow()
  const { canvas, form, settings } = await openSettings({ signedInPage: page, server, token, request })
  await canvas.select('Remove background')
  await form.getByRole('textbox', { name: 'New ground', exact: true }).fill('blue')
  await expect(form.getByText('Enter a colour such as #de4f2a.')).toBeVisible()
  // The open inspector moved the flow aside: fitted again, every card is clear of the panels.
  await page.getByRole('button', { name: 'Zoom to fit' }).click()

  await canvas.select('Brand system')
  await form.getByLabel('Brand name', { exact: true }).fill('Northbound')
  await form.getByRole('group', { name: 'Banned words' }).getByRole('button', { name: 'Add' }).click()
  await form.getByLabel('Banned words 1', { exact: true }).fill('cheap')
  const brand = form.getByRole('group', { name: 'Brand', exact: true })
  await brand.getByRole('button', { name: 'Fill in' }).click()
  await brand.getByLabel('Tone', { exact: true }).fill('Dry')
  await brand.getByRole('button', { name: 'Add a colour' }).click()

  await canvas.select('Remove background')
  await expect(form.getByRole('textbox', { name: 'New ground', exact: true })).toHaveValue('blue')
  await expect(form.getByText('Enter a colour such as #de4f2a.')).toBeVisible()
  await form.getByRole('textbox', { name: 'New ground', exact: true }).fill('#de4f2a')
  await expect(form.getByText('Enter a colour such as #de4f2a.')).toHaveCount(0)
  await form.getByRole('switch', { name: 'Trim' }).click()

  await canvas.select('Number')
  await form.getByRole('spinbutton', { name: 'Value' }).fill('12.5')

  await canvas.select('Image')
  const drop = form.locator('input[type=file]')
  await drop.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
  await expect(form.getByRole('alert')).toContainText('notes.txt is not a PNG, JPEG, WebP or GIF image.')
  await drop.setInputFiles(imageFile('can.png', 60, 40))
  await expect(form.getByRole('img', { name: 'can.png' })).toBeVisible()

  await canvas.select('Table')
  await form.getByRole('button', { name: 'Add a row' }).click()
  await form.getByLabel('Name of column 1', { exact: true }).fill('scene')
  await form.getByLabel('Name, row 1', { exact: true }).click()
  await form.getByLabel('scene, row 1', { exact: true }).fill('Dawn')

  await expect.poll(() => settings('shots')).toEqual({ rows: [{ scene: 'Dawn' }] })
  expect(await settings('brand')).toEqual({
    brand_name: 'Northbound',
    banned_words: ['cheap'],
    brand: { tone: 'Dry', palette: ['#2f57e0'] },
  })
  expect(await settings('cut')).toEqual({ ground: '#de4f2a', trim: true })
  expect(await settings('amount')).toEqual({ value: 12.5 })
  expect(await settings('shot')).toMatchObject({ picture: { $type: 'Image', media_type: 'image/png' } })

  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  for (let steps = 0; steps < 14; steps += 1) await undo.click()
  await expect(undo).toBeDisabled()
  for (const node of ['shots', 'brand', 'cut', 'amount', 'shot']) {
    await expect.poll(() => settings(node)).toEqual({})
  }
})

test('invalid JSON stays in the field with an error, and so does JSON of the wrong type', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { canvas, form, settings } = await openSettings({ signedInPage: page, server, token, request })
  await canvas.select('Language model')
  const json = form.getByRole('textbox', { name: 'Custom schema' })
  await expect(form.getByText('Custom schema')).toHaveCount(0)
  await chooseCustomSchema(page, form)
  await form.getByRole('tab', { name: 'JSON' }).click()
  await json.fill('{"type": "object"')
  await expect(form.getByText('Not valid JSON. The last valid value is kept.')).toBeVisible()
  await expect(json).toHaveValue('{"type": "object"')
  await json.fill('[1]')
  await expect(form.getByText('Enter names and their values.')).toBeVisible()
  await json.fill('{"type": "object"}')
  await expect(form.getByText(/^(Not valid JSON|Enter names)/)).toHaveCount(0)
  expect(await settings('write')).toMatchObject({ schema: { type: 'object' } })
})

test('a connected setting shows its source', async ({ signedInPage, server, token, request }) => {
  const edge = [{ from: 'ask.output', to: 'write.system_prompt' }]
  const { canvas, form } = await openSettings({ signedInPage, server, token, request }, edge)
  await canvas.select('Language model')
  await expect(form.getByLabel('System prompt', { exact: true })).toHaveCount(0)
  await form.getByRole('button', { name: 'Driven by User prompt' }).click()
  await expect(form.getByLabel('Node name', { exact: true })).toHaveAttribute('placeholder', 'User prompt')
})

test("a plugin's node shows its settings, ports and description", { tag: '@thorough' }, async ({
  context,
  page,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'impasto-plugin-'))
  const server = await Server.start({ PYTHONPATH: await pluginPath(folder) })
  try {
    const token = await register(server, context.request, newUser())
    await storeSession(server, context, token)
    const id = await createFlow(context.request, server.url, token)
    const canvas = new Canvas(page)
    await page.goto(`${server.url}/flow/${id}`)
    await canvas.palette.getByRole('button', { name: 'Verse', exact: true }).click()
    await canvas.select('Verse')
    await expect(canvas.inspector.getByRole('slider', { name: 'Words a line' })).toHaveAttribute(
      'aria-valuenow',
      '4',
    )
    await expect(canvas.port('Verse', 'Text')).toBeAttached()
    await canvas.inspector.getByRole('tab', { name: 'About' }).click()
    await expect(canvas.inspector).toContainText('Break a text into the lines of a verse.')
    await expect(canvas.inspector).toContainText('From the package impasto-rhyme')
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

async function chooseCustomSchema(page: Page, form: Locator): Promise<void> {
  await form.getByRole('combobox', { name: 'Output schema' }).click()
  await page.getByRole('option', { name: 'Custom' }).click()
}

/** PYTHONPATH on which the example plugin is found with its entry point, as if it were installed. */
async function pluginPath(folder: string): Promise<string> {
  const distInfo = join(folder, 'impasto_rhyme-0.1.0.dist-info')
  await mkdir(distInfo)
  await writeFile(join(distInfo, 'METADATA'), 'Metadata-Version: 2.1\nName: impasto-rhyme\nVersion: 0.1.0\n')
  await writeFile(join(distInfo, 'entry_points.txt'), '[impasto.nodes]\nrhyme = impasto_rhyme\n')
  return [folder, resolve(import.meta.dirname, '../../../examples/plugin')].join(delimiter)
}

test('a schema and the model’s own settings are forms, with JSON in a second tab', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  test.slow()
  const { canvas, form, settings, keys } = await openSettings({ signedInPage: page, server, token, request })
  await canvas.select('Language model')
  await chooseCustomSchema(page, form)
  const schema = form.getByRole('group', { name: 'Custom schema', exact: true }).first()
  await schema.getByRole('button', { name: 'Add a field' }).focus()
  await keys.press('Enter')
  await keys.type('price')
  await schema.getByRole('group', { name: 'price' }).getByRole('combobox', { name: 'Type' }).focus()
  await keys.press('Enter')
  await page.getByRole('option', { name: 'Number', exact: true }).press('Enter')
  await schema.getByLabel('Description', { exact: true }).fill('In euros')
  await schema.getByRole('checkbox', { name: 'Required' }).click()
  const built = {
    type: 'object',
    properties: { price: { type: 'number', description: 'In euros' } },
    required: [],
    additionalProperties: false,
  }
  await expect.poll(() => settings('write')).toEqual({ output_schema_preset: 'custom', schema: built })
  await expectAccessibleInBothThemes(page, '[data-region=inspector]')
  await form.getByRole('tab', { name: 'JSON' }).click()
  await expect(form.getByRole('textbox', { name: 'Custom schema' })).toHaveValue(
    JSON.stringify(built, null, 2),
  )

  await canvas.select('Image generation')
  await form.getByText('Advanced').click()
  const own = form
    .getByRole('group', { name: 'Model’s own settings' })
    .or(form.getByRole('group', { name: "Model's own settings" }))
  await own.getByRole('button', { name: 'Add a value' }).click()
  await keys.type('quality')
  await own.getByRole('textbox', { name: 'Value of quality' }).fill('high')
  await expect.poll(() => settings('draw')).toEqual({ more: { quality: 'high' } })
  await expectAccessibleInBothThemes(page, '[data-region=inspector]')

  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  while (await undo.isEnabled()) await undo.click()
  await expect.poll(() => settings('draw')).toEqual({})
  await expect.poll(() => settings('write')).toEqual({})
})
