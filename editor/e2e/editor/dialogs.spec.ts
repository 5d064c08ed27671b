import type { Page } from '@playwright/test'
import { expect, expectAccessibleInBothThemes, expectNoHorizontalScroll, keptTest as test } from '../fixtures'
import {
  apiOf,
  driver,
  expectDialogOnPhone,
  expectOneRequest,
  MIXED,
  PHONE,
  post,
  WORD,
} from '../fixtures/dialogs'
import { Canvas, createFlow, flowNode } from './canvas'

test.use({ viewport: PHONE, hasTouch: true })

/** Runs a command by the command palette. Its code may still load, while the inspector has comboboxes of its own. */
async function runCommand(page: Page, label: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill(label)
  await page.keyboard.press('Enter')
}

/** The dialogs that the command palette opens, each by its command. */
const COMMANDS: Record<string, readonly (readonly [string | RegExp, string])[]> = {
  'used most': [
    ['Find on the canvas', 'Find on the canvas'],
    ['Publish', 'Publish'],
    ['Keyboard shortcuts', 'Keyboard shortcuts'],
  ],
  'to build': [
    ['Settings for launchers', 'Settings for launchers'],
    ['Start from a template', 'Start from a template'],
    ['Insert a node', 'Insert a node into a connection'],
    ['Variables', 'Variables'],
    [/^Swap/, 'Swap for another node'],
    ['Make an agent', 'Make an agent of these nodes'],
  ],
  'to look up': [
    ['Problems', 'Problems'],
    ['Past runs', 'Past runs'],
    [/^Compare settings of/, 'Compare settings'],
  ],
}

for (const [purpose, commands] of Object.entries(COMMANDS)) {
  test(`the dialogs of the editor ${purpose} work on a phone`, { tag: '@thorough' }, async ({
    signedInPage: page,
    server,
    token,
    request,
  }) => {
    const agent = await createFlow(request, server.url, token, {
      name: MIXED,
      flow: { nodes: [flowNode('ask', 'user_prompt', 0, 0, { text: MIXED })] },
    })
    await post(request, `${apiOf(server)}/flows/${agent}/publish`, token, { note: MIXED })
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
    for (const [name, label] of commands)
      await test.step(`${name}`, () =>
        expectDialogOnPhone({
          page,
          name,
          back: card,
          open: async () => {
            await card.focus()
            await runCommand(page, label)
          },
        }))
  })
}

test('the dialogs of ports, agents, versions and plugins work on a phone', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const drive = driver(page)
  const agent = await createFlow(request, server.url, token, {
    name: MIXED,
    flow: { nodes: [flowNode('ask', 'user_prompt', 0, 0, { text: MIXED })] },
  })
  for (const note of ['', MIXED])
    await post(request, `${apiOf(server)}/flows/${agent}/publish`, token, { note })
  const id = await createFlow(request, server.url, token, {
    name: WORD,
    flow: {
      nodes: [
        { ...flowNode('inner', 'agent', 0, 0, { flow: agent, version: 1 }), title: WORD },
        flowNode('say', 'compose', 0, 500, { template: 'Say {{it}}' }),
      ],
    },
  })
  await post(request, `${apiOf(server)}/flows/${id}/publish`, token, { note: MIXED })
  await page.route('**/api/v1/nodes/', async (route) => {
    const catalog = await (await route.fetch()).json()
    const refused = [{ package: WORD, reason: MIXED, hint: MIXED }]
    await route.fulfill({ json: { ...catalog, refused } })
  })
  const canvas = new Canvas(page)
  await canvas.open(id)
  await drive(/^Connect /, canvas.port('Compose', 'it'))
  await drive(/^Update /, canvas.card(WORD).getByRole('button', { name: 'Version 2 is available' }))

  await test.step('Plugins', async () => {
    const [desktop, about] = [
      { width: 1440, height: 900 },
      page.getByRole('button', { name: 'About plugins' }),
    ]
    await page.setViewportSize(desktop)
    // The title of the selected node is one word, and must not widen the palette.
    expect((await canvas.palette.boundingBox())?.width).toBeLessThan(260)
    await about.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Plugins' })
    await expect(dialog).toContainText(WORD)
    await expectAccessibleInBothThemes(page)
    await page.keyboard.press('Escape')
    await expect(about).toBeFocused()
    await about.press('Enter')
    // A window that becomes narrow closes the palette that the focus would return to.
    await page.setViewportSize(PHONE)
    await expectNoHorizontalScroll(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })

  await runCommand(page, 'History')
  const withdraw = page.getByRole('button', { name: 'Withdraw Version 1' })
  await drive('Withdraw Version 1?', withdraw)
  await test.step('Enter pressed twice withdraws once', async () => {
    await withdraw.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Withdraw Version 1' }).focus()
    await expectOneRequest(page, '**/versions/1**', () => expect(dialog).toHaveCount(0))
  })
})
