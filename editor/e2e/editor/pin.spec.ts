import { expect, expectAccessibleInBothThemes, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

const flow = {
  nodes: [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'Cold brew' }),
    { ...flowNode('say', 'compose', 320, 0, { template: 'Say {{it}}' }), title: 'Say' },
    { ...flowNode('again', 'compose', 640, 0, { template: 'Again: {{it}}' }), title: 'Again' },
  ],
  edges: [
    { from: 'ask.output', to: 'say.it' },
    { from: 'say.output', to: 'again.it' },
  ],
}

test('a result is pinned and edited, a node bypassed and disabled; runs follow, and publishing asks', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const [say, again] = [canvas.card('Say'), canvas.card('Again')]
  const run = async (number: number) => {
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('region', { name: `Run ${number}` })).toContainText('Finished')
  }

  await test.step('pin the result by key, edit its text, and run', async () => {
    await run(1)
    await expect(again).toContainText('Again: Say Cold brew')
    await canvas.select('Say')
    await page.keyboard.press('p')
    await expect(say.getByRole('article')).toHaveAccessibleName(/^Say, Pinned/)
    await expect(canvas.announcement).toHaveText('Result of Say pinned.')
    await canvas.inspector.getByRole('tab', { name: 'Result' }).click()
    await canvas.inspector.getByRole('textbox', { name: 'Output' }).fill('Hot tea')
    await expectAccessibleInBothThemes(page, '[data-region=inspector]')
    await run(2)
    await expect(say).toContainText('Hot tea')
    await expect(again).toContainText('Again: Hot tea')
  })

  await test.step('publishing names the pinned node and asks', async () => {
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish' })
    await expect(dialog).toContainText('Say has a pinned result, which runs use')
    await expect(dialog.getByRole('button', { name: 'Publish version 1' })).toBeDisabled()
    await dialog.getByRole('checkbox', { name: 'Publish it like this' }).click()
    await expect(dialog.getByRole('button', { name: 'Publish version 1' })).toBeEnabled()
    await page.keyboard.press('Escape')
  })

  await test.step('bypass: the value of the same type is passed on', async () => {
    await canvas.inspector.getByRole('button', { name: 'Unpin' }).click()
    await say.getByRole('heading').click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Bypass/ }).click()
    await expect(say.getByRole('article')).toHaveAccessibleName(/^Say, Bypassed/)
    await run(3)
    await expect(again).toContainText('Again: Cold brew')
  })

  await test.step('disable: what needs the node is skipped, and Problems enables it again', async () => {
    await say.focus()
    await page.keyboard.press('d')
    await expect(say.getByRole('article')).toHaveAccessibleName(/^Say, Disabled/)
    await run(4)
    await expect(again).toContainText('Skipped because Say was disabled.')
    await page.getByRole('button', { name: '1 problem' }).click()
    await page.getByRole('button', { name: 'Enable: Say' }).click()
    await page.keyboard.press('Escape')
    await expect(say.getByRole('article')).toHaveAccessibleName(/^Say(?!, Disabled)/)
    await expect(say).toContainText('Skipped: this node was disabled.')
    await expect(again).toContainText('Skipped because Say was disabled.')
  })

  await test.step('undo survives a reload', async () => {
    await page.reload()
    await expect(say).toBeVisible()
    // Not the Undo of the message about changes that were not saved before the reload.
    const undo = page.getByLabel('Undo', { exact: true })
    await expect(undo).toBeEnabled()
    await undo.click()
    await expect(say.getByRole('article')).toHaveAccessibleName(/^Say, Disabled/)
  })
})
