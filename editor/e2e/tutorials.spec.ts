import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { Canvas } from './editor/canvas'
import { expect, register, Server, storeSession, test } from './fixtures'

/**
 * Follows the tutorials in docs/tutorial/ step by step and takes their screenshots. `make docs-images` copies
 * them into the documentation.
 */
const root = resolve(import.meta.dirname, '../..')
const folder = resolve(import.meta.dirname, 'screens')

test.use({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })

/** Takes a screenshot of the page, or of one element of it. */
async function shoot(page: Page, name: string, element?: Locator): Promise<void> {
  await page.mouse.move(0, 0)
  await expect.poll(() => page.evaluate(allImagesLoaded)).toBe(true)
  await page.evaluate(() => document.fonts.ready)
  await page.waitForLoadState('networkidle')
  await (element ?? page).screenshot({ path: `${folder}/tutorial-${name}.png` })
}

function allImagesLoaded(): boolean {
  return [...document.images].every((image) => image.complete && image.naturalWidth > 0)
}

async function runToTheEnd(page: Page, number: number): Promise<void> {
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('region', { name: `Run ${number}` })).toContainText('Finished')
}

async function tidyUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Tidy up' }).click()
  await page.getByRole('button', { name: 'Zoom to fit' }).click()
}

test('marketer: launches an agent and works with its results', async ({ signedInPage: page }) => {
  test.setTimeout(420_000)
  await page.goto('/')
  await page.getByRole('radio', { name: 'Product Launch Kit' }).click()
  await page
    .getByRole('textbox', { name: 'Your prompt' })
    .fill('Launch our cold brew: late-summer light, condensation, a hand reaching in')
  await expect(page.getByRole('status').filter({ hasText: 'Estimate' })).toContainText('about')
  await shoot(page, 'prompt')

  await page.getByRole('button', { name: 'Customize' }).click()
  await shoot(page, 'customize', page.getByRole('region', { name: 'Customize' }))
  await page.getByRole('button', { name: 'Customize' }).click()

  await page.getByRole('button', { name: 'Launch', exact: true }).click()
  await page.waitForURL(/\/run\//)
  await expect(page.getByText('Finished')).toBeVisible({ timeout: 240_000 })
  await shoot(page, 'results')

  await page
    .getByRole('button', { name: /^View Hero/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await shoot(page, 'viewer')
  await page.keyboard.press('Escape')

  await page.goto('/library')
  await expect(page.getByRole('heading', { name: 'Library' })).toBeVisible()
  await shoot(page, 'library')
})

test('builder: builds, runs and publishes an agent', async ({ signedInPage: page }) => {
  test.setTimeout(420_000)
  const canvas = new Canvas(page)
  await page.goto('/flow/')
  await page.getByRole('button', { name: 'Create a new flow' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create a new flow' })
  await form.getByLabel('Name').fill('Product post')
  await form.getByLabel('Description').fill('Three images with a headline from one line.')
  await shoot(page, 'create', form)
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('toolbar', { name: 'Agent' })).toBeVisible()

  await canvas.drag('User prompt', 330, 300)
  await canvas.drag('Image generation', 700, 220)
  await canvas.connect(canvas.port('User prompt', 'Output'), canvas.port('Image generation', 'Prompt'))
  await expect(canvas.edges).toHaveCount(1)
  await canvas.select('User prompt')
  await canvas.inspector
    .getByLabel('Prompt', { exact: true })
    .fill('A frosted can of cold brew on warm cedar')
  await canvas.saved()
  await shoot(page, 'nodes')

  await runToTheEnd(page, 1)
  await expect(canvas.card('Image generation').locator('img')).toBeVisible()
  await shoot(page, 'first-run')

  await canvas.drag('Language model', 700, 520)
  await canvas.connect(canvas.port('User prompt', 'Output'), canvas.port('Language model', 'Prompt'))
  await canvas.select('Language model')
  await canvas.inspector
    .getByRole('textbox', { name: 'System prompt' })
    .fill('Write one headline of at most six words for the product in the prompt.')
  await canvas.drag('Overlay text', 1020, 300)
  await canvas.connect(canvas.port('User prompt', 'Output'), canvas.port('Overlay text', 'Image'))
  const refusal = page.getByRole('alert')
  await expect(refusal).toContainText('Overlay text')
  await shoot(page, 'refusal')
  await refusal.getByRole('button', { name: 'Close' }).click()
  await canvas.connect(canvas.port('Image generation', 'Images'), canvas.port('Overlay text', 'Image'))
  await canvas.connect(canvas.port('Language model', 'Text'), canvas.port('Overlay text', 'Text'))
  await expect(canvas.edges).toHaveCount(4)
  await canvas.select('Image generation')
  await canvas.inspector.getByRole('spinbutton', { name: 'Number of images' }).fill('3')
  await canvas.inspector.getByRole('radio', { name: '4:5' }).click()
  await tidyUp(page)
  await canvas.saved()
  await expect(canvas.card('Overlay text').getByText('Text is not connected')).toHaveCount(0)
  await shoot(page, 'flow')

  await runToTheEnd(page, 2)
  await canvas.select('Overlay text')
  await canvas.inspector.getByRole('combobox', { name: 'Position' }).click()
  await page.getByRole('option', { name: /^bottom$/i }).click()
  await runToTheEnd(page, 3)
  await expect(canvas.card('Overlay text').locator('img')).toHaveCount(3)
  await shoot(page, 'reused')

  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByLabel('What changed? (optional)').fill('Three images with a headline')
  await shoot(page, 'publish', page.getByRole('dialog', { name: 'Publish' }))
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await expect(page.getByText('Version 1 is live').first()).toBeVisible()
})

test('plugin author: uses the nodes of the tutorial', async ({ context, page, user }) => {
  test.setTimeout(420_000)
  const installed = await install('postcard', 'docs/tutorial/plugin-author.md')
  const paths = [installed, process.env.PYTHONPATH].filter(Boolean).join(delimiter)
  const server = await Server.start({ PYTHONPATH: paths })
  try {
    await storeSession(server, context, await register(server, context.request, user))
    const canvas = new Canvas(page)
    await page.goto(`${server.url}/flow/`)
    await page.getByRole('button', { name: 'Create a new flow' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create a new flow' })
    await form.getByLabel('Name').fill('Postcards')
    await form.getByRole('button', { name: 'Create', exact: true }).click()
    await canvas.drag('User prompt', 340, 240)
    await canvas.drag('Greeting', 700, 240)
    await canvas.connect(canvas.port('User prompt', 'Output'), canvas.port('Greeting', 'Name'))
    await canvas.drag('Postcard', 700, 480)
    await canvas.connect(canvas.port('Greeting', 'Output'), canvas.port('Postcard', 'Message'))
    await expect(canvas.edges).toHaveCount(2)
    await canvas.select('User prompt')
    await canvas.inspector.getByLabel('Prompt', { exact: true }).fill('Mara')
    await canvas.select('Postcard')
    await tidyUp(page)
    await runToTheEnd(page, 1)
    await expect(canvas.card('Postcard').locator('img')).toBeVisible()
    await shoot(page, 'plugin')
  } finally {
    await server.stop()
    await rm(installed, { recursive: true })
  }
})

/** A folder for PYTHONPATH that has a page's last version of a package, as `pip install` would leave it. */
async function install(name: string, page: string): Promise<string> {
  const text = await readFile(join(root, page), 'utf-8')
  const blocks = [...text.matchAll(/^```python title="([^"]+)"\n([\s\S]*?)^```/gm)]
  const source = blocks.filter(([, title]) => title === `${name}/__init__.py`).at(-1)?.[2]
  if (!source) throw new Error(`${page} shows no ${name}/__init__.py.`)
  const target = await mkdtemp(join(tmpdir(), 'impasto-plugin-'))
  const metadata = join(target, `${name}-0.1.0.dist-info`)
  await mkdir(join(target, name))
  await mkdir(metadata)
  await writeFile(join(target, name, '__init__.py'), source)
  await writeFile(join(metadata, 'METADATA'), `Metadata-Version: 2.1\nName: ${name}\nVersion: 0.1.0\n`)
  await writeFile(join(metadata, 'entry_points.txt'), `[impasto.nodes]\n${name} = ${name}\n`)
  return target
}
