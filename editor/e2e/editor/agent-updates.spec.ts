import { expect, expectAccessibleInBothThemes, keptTest as test } from '../fixtures'
import { intercept } from '../fixtures/interception'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

test('a node holds a version of its agent until an update is accepted, and its lost connection can be mended', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const headers = { authorization: `Bearer ${token}` }
  const api = `${server.url}/api/v1/flows`
  const inner = (extra: object, template: string) => ({
    format: 1,
    name: 'Polisher',
    nodes: [
      flowNode('ask', 'user_prompt', 0, 0, { text: 'a lamp' }),
      { ...flowNode('write', 'compose', 420, 0, { template }), ...extra },
    ],
    edges: [{ from: 'ask.output', to: 'write.thing' }],
  })
  const created = await request.post(`${api}/`, {
    headers,
    data: { name: 'Polisher', flow: inner({}, '{{thing}}') },
  })
  const agent = (await created.json()).id as string
  const publish = async () => {
    expect((await request.post(`${api}/${agent}/publish`, { headers, data: { note: '' } })).ok()).toBe(true)
  }
  await publish()
  const use = (id: string, x: number, y: number) => ({
    ...flowNode(id, 'agent', x, y, { flow: agent, version: 1 }),
    title: id,
  })
  const { canvas, id } = await openNewFlow(
    { page, server, token, request },
    {
      name: 'Studio',
      flow: {
        nodes: [
          flowNode('text', 'user_prompt', 0, 0, { text: 'a jug' }),
          use('First', 420, 0),
          use('Second', 420, 420),
          flowNode('after', 'compose', 840, 0, { template: '{{line}}' }),
        ],
        edges: [
          { from: 'text.output', to: 'First.ask' },
          { from: 'First.write', to: 'after.line' },
        ],
      },
    },
  )
  const versions = async () => {
    const { nodes } = await canvas.draft(request, server.url, token, id)
    return nodes.flatMap(({ type, settings }) => (type === 'agent' ? [settings.version] : []))
  }
  const dialog = page.getByRole('dialog', { name: 'Update First' })
  const mark = canvas.card('First').getByRole('button', { name: 'Version 2 is available' })

  await test.step('a version that is current has no mark, and cards name their agent', async () => {
    await expect(canvas.card('Second').getByText('Polisher')).toBeVisible()
    await expect(canvas.card('First')).toBeVisible()
    await expect(mark).toHaveCount(0)
  })

  await test.step('after the agent is published again, the node says so', async () => {
    const next = inner({ id: 'polish' }, 'Shiny {{thing}}')
    const edges = [{ from: 'ask.output', to: 'polish.thing' }]
    const { revision } = await (await request.get(`${api}/${agent}`, { headers })).json()
    const saved = await request.put(`${api}/${agent}/draft`, {
      headers: { ...headers, 'If-Match': `"${revision}"` },
      data: { ...next, edges },
    })
    expect(saved.ok()).toBe(true)
    await publish()
    await page.reload()
    // The old version cannot be loaded: that does not mean that it was withdrawn.
    await intercept(page, '**/versions/1', (route) => route.abort())
    await mark.click()
    await expect(dialog.getByText('Could not load the versions.')).toBeVisible()
    await page.unroute('**/versions/1')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect(dialog.getByText('From version 1 to version 2.')).toBeVisible()
    await expect(dialog.getByText('New steps')).toBeVisible()
    await expect(dialog.getByRole('note')).toContainText('A connection with Compose no longer fits')
    await expectAccessibleInBothThemes(page, '[role=dialog]')
  })

  await test.step('Not now changes nothing', async () => {
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await expect(mark).toBeVisible()
    expect(await versions()).toEqual([1, 1])
  })

  await test.step('all nodes are updated by one step of undo', async () => {
    await canvas.card('First').getByRole('heading').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Update to the newest version' }).click()
    await dialog.getByRole('button', { name: 'Update all 2 nodes' }).click()
    await expect(mark).toHaveCount(0)
    await canvas.save()
    expect(await versions()).toEqual([2, 2])
    await page.keyboard.press('Control+z')
    await expect(mark).toBeVisible()
    await canvas.save()
    expect(await versions()).toEqual([1, 1])
  })

  await test.step('the connection that the agent no longer has is a problem with a way to mend it', async () => {
    await page
      .getByRole('region', { name: 'Inspector' })
      .getByRole('button', { name: 'See what changes' })
      .click()
    await dialog.getByRole('button', { name: 'Update', exact: true }).click()
    await canvas.save()
    expect(await versions()).toEqual([2, 1])
    const edges = async () => (await canvas.draft(request, server.url, token, id)).edges
    expect(await edges()).toHaveLength(2)
    await page
      .getByRole('button', { name: /problem/i })
      .first()
      .click()
    await page.getByRole('button', { name: 'Remove the connection' }).click()
    await canvas.save()
    await expect.poll(edges).toEqual([{ from: 'text.output', to: 'First.ask' }])
    await page.keyboard.press('Escape')
  })

  await test.step('an agent that is chosen is held at its newest version', async () => {
    await canvas.select('Second')
    await canvas.card('Second').getByRole('combobox').click()
    await page.getByRole('option', { name: 'Polisher' }).click()
    await canvas.save()
    await expect.poll(versions).toEqual([2, 2])
  })
})
