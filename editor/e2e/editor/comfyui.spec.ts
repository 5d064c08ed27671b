import type { Locator, Page } from '@playwright/test'
import { test as base, expect, signIn, toast } from '../fixtures'
import { FakeComfyUI } from '../fixtures/comfyui'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

const test = base.extend<{ comfyui: FakeComfyUI }>({
  user: ({ admin }, use) => use(admin),
  token: async ({ server, context, user }, use) => use(await signIn(server, context.request, user)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
  comfyui: async ({}, use) => {
    const comfyui = await FakeComfyUI.start()
    await use(comfyui)
    comfyui.stop()
  },
})

/**
 * Opens the connections until they offer a button of a server on this machine. The server looks for it for two seconds,
 * which may be too short on a busy machine, and again for a page that is opened 20 s later.
 */
async function offered(page: Page, name: string): Promise<Locator> {
  const button = page.getByRole('button', { name, exact: true })
  await expect(async () => {
    await page.goto('/account/connections')
    await expect(button).toBeVisible({ timeout: 30_000 })
  }).toPass()
  return button
}

test('a ComfyUI on this machine is found, connected with one press, and runs an exported workflow', {
  tag: '@thorough',
}, async ({ comfyui, signedInPage: page, server, token, request }) => {
  await (await offered(page, 'Use ComfyUI')).click()
  await expect(toast(page, 'Your runs can use ComfyUI.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Stop using ComfyUI' })).toBeVisible()

  const flow = { nodes: [flowNode('paint', 'comfyui_workflow', 0, 0)], edges: [] }
  const { canvas } = await openNewFlow({ page, server, token, request }, { name: 'Cans', flow })
  await canvas.select('ComfyUI workflow')
  const file = { name: 'cans.json', mimeType: 'application/json', buffer: Buffer.from(comfyui.workflow) }
  await canvas.inspector.getByLabel('Exported workflow').setInputFiles(file)
  const save = canvas.inspector.getByRole('group', { name: /, node 9$/ })
  await save.getByRole('checkbox', { name: 'Output' }).check()

  await page.keyboard.press('Control+Enter')
  const card = canvas.card('ComfyUI workflow')
  await expect(card.getByRole('img', { name: 'Unfinished image' })).toBeVisible()
  await expect(card).toContainText('18 %')

  comfyui.release()
  await expect(card.getByRole('img', { name: 'Finished' })).toBeVisible()
  await expect(card.getByRole('img', { name: 'Unfinished image' })).toBeHidden()
  await expect(card.locator('img[src*="assets"]').first()).toBeVisible()

  await (await offered(page, 'Stop using ComfyUI')).click()
  await expect(toast(page, 'Your runs no longer use ComfyUI.')).toBeVisible()
})
