import { expect, expectAccessibleInBothThemes, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

test('nodes become an agent by one step of undo, and the agent is dissolved into the same nodes', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const nodes = [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'a lamp' }),
    flowNode('first', 'compose', 420, 0, { template: 'Polish {{thing}}' }),
    { ...flowNode('second', 'compose', 840, 0, { template: '{{line}}, today' }), title: 'Date' },
  ]
  const edges = [
    { from: 'ask.output', to: 'first.thing' },
    { from: 'first.output', to: 'second.line' },
  ]
  const { canvas, id } = await openNewFlow(
    { page, server, token, request },
    { name: 'Workshop', flow: { nodes, edges } },
  )
  const draft = () => canvas.draft(request, server.url, token, id)
  const dialog = page.getByRole('dialog', { name: 'Make an agent' })

  await test.step('a node moves into an agent', async () => {
    await canvas.card('Compose').getByRole('heading').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Make an agent of these nodes' }).click()
    await expect(dialog.getByText('It takes: User prompt.')).toBeVisible()
    await expect(dialog.getByText('It is published as version 1')).toBeVisible()
    await expectAccessibleInBothThemes(page, '[role=dialog]')
    await dialog.getByLabel('Name of the agent').fill('Polisher')
    await page.keyboard.press('Enter')
    await expect(canvas.card('Polisher')).toBeVisible()
    await expect(canvas.card('Compose')).toHaveCount(0)
    await expect(dialog).toBeHidden()
    await canvas.save()
    const { nodes: outer, edges: between } = await draft()
    expect(outer.map((node: { type: string }) => node.type)).toEqual(['user_prompt', 'agent', 'compose'])
    expect(outer[1]?.settings.version).toBe(1)
    expect(between).toEqual([
      { from: 'ask.output', to: 'Polisher.User_prompt' },
      { from: 'Polisher.first', to: 'second.line' },
    ])
  })

  await test.step('one undo brings the nodes back, one redo the agent', async () => {
    await canvas.card('Polisher').focus()
    await page.keyboard.press('Control+z')
    await expect(canvas.card('Compose')).toBeVisible()
    await expect(canvas.card('Polisher')).toHaveCount(0)
    await page.keyboard.press('Control+Shift+z')
    await expect(canvas.card('Polisher')).toBeVisible()
    await expect.poll(async () => (await draft()).nodes[1]?.type).toBe('agent')
  })

  await test.step('the way back from an edited inner agent shows the run and keeps the undo history', async () => {
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')
    await expect(canvas.card('Date')).toContainText('Polish a lamp, today')
    await canvas.card('Polisher').focus()
    await page.keyboard.press('o')
    await expect(canvas.card('Compose')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Run 1' })).toHaveCount(0)
    await canvas.select('Compose')
    await canvas.inspector.getByLabel('Node name').fill('Inner')
    await expect(canvas.card('Inner')).toBeVisible()
    await page.getByRole('button', { name: 'Back to Workshop' }).click()
    await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')
    await expect(canvas.card('Date')).toContainText('Polish a lamp, today')
    await page.getByLabel('Undo', { exact: true }).click()
    await expect(canvas.card('Compose')).toBeVisible()
    await page.getByLabel('Redo', { exact: true }).click()
    await expect(canvas.card('Polisher')).toBeVisible()
  })

  await test.step('the agent is dissolved into the nodes and edges of before', async () => {
    await canvas.card('Polisher').getByRole('heading').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Dissolve into its nodes' }).click()
    await expect(canvas.card('Compose')).toBeVisible()
    await expect(canvas.card('Polisher')).toHaveCount(0)
    const said = page.getByText('Polisher was dissolved into its nodes', { exact: true })
    await expect(said).toBeVisible()
    await canvas.save()
    await said.hover() // which keeps it open
    await page.evaluate(() => history.back())
    await expect(canvas.card('Inner')).toBeVisible()
    await expect(said).toBeHidden()
    const { nodes: after, edges: joined } = await draft()
    expect(new Set(after.map((node: { id: string }) => node.id))).toEqual(new Set(['ask', 'first', 'second']))
    expect(joined).toEqual(expect.arrayContaining(edges))
    expect(joined).toHaveLength(2)
  })
})

test('an input alone does not become an agent', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const flow = { nodes: [flowNode('ask', 'user_prompt', 0, 0, { text: 'a lamp' })] }
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const dialog = page.getByRole('dialog', { name: 'Make an agent' })
  await canvas.select('User prompt')
  await canvas.card('User prompt').focus()
  await page.keyboard.press('a')
  await expect(dialog.getByRole('alert')).toHaveText('Select at least one node that is not an input.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})
