import type { APIRequestContext } from '@playwright/test'
import { expect, expectAccessibleInBothThemes, keptTest as test } from '../fixtures'
import { Canvas, createFlow, flowNode } from './canvas'
import { openNewFlow, speechFlow } from './flows'

/** All documents in the history, as text. */
async function historyOf(request: APIRequestContext, url: string, token: string): Promise<string[]> {
  const headers = { Authorization: `Bearer ${token}` }
  const { items } = await (await request.get(`${url}/versions`, { headers })).json()
  const read = async ({ ref }: { ref: string }) => {
    const entry = await request.get(`${url}/versions/${ref}`, { headers })
    return JSON.stringify((await entry.json()).flow)
  }
  return Promise.all(items.map(read))
}

const flow = speechFlow()

test('offline edits of two tabs are merged setting by setting, with removed and added nodes', async ({
  signedInPage: page,
  context,
  server,
  token,
  request,
}) => {
  const id = await createFlow(request, server.url, token, { name: 'Two', flow })
  const [mine, theirs] = [new Canvas(page), new Canvas(await context.newPage())]
  await mine.open(id)
  await theirs.open(id)
  await context.setOffline(true)

  await theirs.select('User prompt')
  await theirs.inspector.getByLabel('Prompt', { exact: true }).fill('Theirs')
  await theirs.inspector.getByLabel('Node name').fill('Brief')
  await theirs.select('Text to speech')
  await theirs.page.keyboard.press('Delete')
  await theirs.drag('Number', 640, 640)

  await mine.select('User prompt')
  await mine.inspector.getByLabel('Prompt', { exact: true }).fill('Mine')
  await mine.select('Text to speech')
  await mine.inspector.getByLabel('Node name').fill('Voice-over')
  await mine.drag('Number', 520, 560)
  for (const one of [mine, theirs]) {
    await expect(one.page.getByText('Offline, saved in this browser')).toBeVisible()
  }

  await theirs.page.bringToFront()
  await context.setOffline(false)
  const openDialogs = async () => [
    await page.getByRole('dialog').count(),
    await theirs.page.getByRole('dialog').count(),
  ]
  await expect.poll(openDialogs).toContain(1)
  const [late, other] = (await openDialogs())[0] === 1 ? [mine, theirs] : [theirs, mine]
  await other.saved()
  await late.page.bringToFront()
  const dialog = late.page.getByRole('dialog', { name: 'Edit conflict' })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await late.page.getByRole('button', { name: 'Resolve conflict' }).click()

  const text = late === mine ? 'Mine' : 'Theirs'
  const prompt = dialog.getByRole('radiogroup', { name: /^Prompt/ })
  await expect(prompt.getByRole('radio', { checked: true })).toContainText(text)
  await prompt.getByRole('radio', { checked: false }).click()
  await expect(
    dialog.getByRole('radiogroup', { name: 'Voice-over' }).getByRole('radio', { checked: true }),
  ).toContainText('changed')
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(dialog).toBeHidden()
  await late.saved()

  const draft = await late.draft(request, server.url, token, id)
  const named = draft.nodes.map(({ id: name, title, settings }) => ({ name, title, text: settings.text }))
  expect(named).toContainEqual({ name: 'ask', title: 'Brief', text: late === mine ? 'Theirs' : 'Mine' })
  expect(named).toContainEqual({ name: 'speak', title: 'Voice-over', text: undefined })
  expect(draft.nodes.filter(({ type }) => type === 'number')).toHaveLength(2)
  expect(draft.edges).toEqual(expect.arrayContaining(flow.edges))

  const versions = await historyOf(request, `${server.url}/api/v1/flows/${id}`, token)
  expect(versions.some((version) => version.includes('"Mine"') && version.includes('Voice-over'))).toBe(true)
  expect(
    versions.some((version) => version.includes('"Theirs"') && !version.includes('text_to_speech')),
  ).toBe(true)
})

test('Keep mine and Take theirs keep the other version in the history, and Merge keeps both', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { id, canvas: mine } = await openNewFlow({ page, server, token, request }, { name: 'Sides', flow })
  const address = `${server.url}/api/v1/flows/${id}`
  /** Saves changed settings of a node in the draft, as another tab does. */
  const saveTheirs = async (node: string, settings: object) => {
    const headers = { Authorization: `Bearer ${token}` }
    const stored = await (await request.get(address, { headers })).json()
    const nodes = stored.flow.nodes.map((one: { id: string }) =>
      one.id === node ? { ...one, settings } : one,
    )
    const saved = await request.put(`${address}/draft`, {
      headers: { ...headers, 'If-Match': `"${stored.revision}"` },
      data: { ...stored.flow, nodes },
    })
    expect(saved.ok(), await saved.text()).toBe(true)
  }
  const dialog = page.getByRole('dialog', { name: 'Edit conflict' })
  const fillTemplate = async (text: string) => {
    await mine.inspector.getByLabel('Template', { exact: true }).fill(`${text} {{it}}`)
    await page.keyboard.press('Control+s')
  }
  const settings = async () =>
    (await mine.draft(request, server.url, token, id)).nodes.slice(0, 2).map((node) => node.settings)
  await mine.select('Compose')

  for (const [action, kept, other] of [
    ['Keep mine', 'Mine', 'Theirs'],
    ['Take theirs', 'Their second', 'My second'],
  ] as const) {
    await test.step(action, async () => {
      await saveTheirs('say', { template: `${action === 'Keep mine' ? other : kept} {{it}}` })
      await fillTemplate(action === 'Keep mine' ? kept : other)
      await expect(dialog.getByRole('radiogroup', { name: 'Template Conflict' })).toBeVisible()
      if (action === 'Keep mine') await expectAccessibleInBothThemes(page, '[role=dialog]')
      await dialog.getByRole('button', { name: action }).click()
      await expect(dialog).toBeHidden()
      await mine.saved()
      await expect.poll(settings).toEqual([{ text: 'Cold brew' }, { template: `${kept} {{it}}` }])
      await expect(mine.card('Compose')).toContainText(`${kept} {{it}}`)
      const versions = await historyOf(request, address, token)
      expect(versions.filter((version) => version.includes(`"${other} {{it}}"`))).toHaveLength(1)
    })
  }

  await test.step('Merge, of different nodes', async () => {
    await saveTheirs('ask', { text: 'Theirs' })
    await fillTemplate('My third')
    await expect(dialog).toContainText('User prompt')
    await expect(dialog).toContainText('Compose')
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await expect(dialog).toBeHidden()
    await mine.saved()
    await expect.poll(settings).toEqual([{ text: 'Theirs' }, { template: 'My third {{it}}' }])
  })
})

test('a variable that two tabs changed is chosen, and other variables and their uses are merged', {
  tag: '@thorough',
}, async ({ signedInPage: page, context, server, token, request }) => {
  const variables = [
    { name: 'tone', type: 'Text', value: 'calm' },
    { name: 'season', type: 'Text', value: 'spring' },
  ]
  const nodes = [
    { ...flowNode('line', 'compose', 0, 0, { template: 'A {{tone}} {{season}} morning' }), title: 'Line' },
    flowNode('speak', 'compose', 420, 0, { template: 'Say {{line}}' }),
  ]
  const edges = [{ from: 'line.output', to: 'speak.line' }]
  const document = { format: 2, nodes, edges, variables }
  const id = await createFlow(request, server.url, token, { name: 'Shared', flow: document } as never)
  const [mine, theirs] = [new Canvas(page), new Canvas(await context.newPage())]
  await mine.open(id)
  await theirs.open(id)

  const change = async (tab: Canvas, name: string, value: string) => {
    const panel = tab.page.getByRole('region', { name: 'Variables' })
    await tab.select('Line')
    await tab.page.keyboard.press('v')
    await expect(panel).toBeVisible()
    await panel.getByRole('button', { name }).click()
    await panel.getByLabel('Value', { exact: true }).fill(value)
    await panel.getByRole('button', { name: 'Close variables' }).click()
  }
  await theirs.page.bringToFront()
  await change(theirs, 'tone', 'theirs')
  await change(theirs, 'season', 'autumn')
  await theirs.page.keyboard.press('Control+s')
  await theirs.saved()

  await page.bringToFront()
  await change(mine, 'tone', 'mine')
  const dialog = page.getByRole('dialog', { name: 'Edit conflict' })
  const tone = dialog.getByRole('radiogroup', { name: 'Value Conflict' })
  await expect(dialog.getByRole('heading', { name: 'Variable tone' })).toBeVisible()
  await expect(tone.getByRole('radio', { checked: true })).toContainText('mine')
  await expectAccessibleInBothThemes(page, '[role=dialog]')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/conflict-variable.png` })
  await tone.getByRole('radio', { checked: false }).click()
  await tone.getByRole('radio', { checked: false }).press('Space')
  await expect(tone.getByRole('radio', { checked: true })).toContainText('mine')
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(dialog).toBeHidden()
  await mine.saved()

  const draft = (await mine.draft(request, server.url, token, id)) as unknown as typeof document
  expect(draft.variables.map(({ name, value }) => [name, value])).toEqual([
    ['tone', 'mine'],
    ['season', 'autumn'],
  ])
  await mine.select('Line')
  await page.keyboard.press('v')
  await expect(page.getByRole('region', { name: 'Variables' })).toContainText('autumn')
  const versions = await historyOf(request, `${server.url}/api/v1/flows/${id}`, token)
  expect(versions.some((version) => version.includes('"theirs"'))).toBe(true)
})
