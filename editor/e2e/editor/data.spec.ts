import { expect, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where it opens.' },
    seats: { type: 'integer', minimum: 1 },
    dishes: { type: 'array', items: { type: 'string' } },
  },
  required: ['city'],
  additionalProperties: false,
}

test('data with fields has a form at each launch', async ({ signedInPage: page, server, token, request }) => {
  const nodes = [
    { ...flowNode('facts', 'data', 0, 0, { schema }), title: 'Facts' },
    flowNode('line', 'compose', 420, 0, { template: 'Opening: {{facts}}' }),
  ]
  const edges = [{ from: 'facts.output', to: 'line.facts' }]
  const { id, canvas } = await openNewFlow(
    { page, server, token, request },
    { name: 'Opening', flow: { nodes, edges } },
  )

  // Its author fills in the same form.
  await canvas.select('Facts')
  await canvas.inspector.getByLabel('Seats', { exact: true }).fill('12')
  await canvas.save()
  const draft = await canvas.draft(request, server.url, token, id)
  expect(draft.nodes.find((node) => node.id === 'facts')?.settings.value).toEqual({ seats: 12 })

  const headers = { Authorization: `Bearer ${token}` }
  const published = await request.post(`${server.url}/api/v1/flows/${id}/publish`, { data: {}, headers })
  expect(published.status(), await published.text()).toBe(200)

  await page.goto(`/?agent=${id}`)
  await page.getByRole('button', { name: 'Customize' }).click()
  const panel = page.getByRole('region', { name: 'Customize' })

  // Without a field that is required, nothing is launched.
  const launch = page.getByRole('button', { name: 'Launch', exact: true })
  await launch.click()
  await expect(page.getByRole('alert')).toContainText('Opening needs: City.')
  await expect(panel.getByLabel('City')).toBeFocused()
  await panel.getByLabel('City').fill('Lisbon')
  const seats = panel.getByLabel('Seats', { exact: true })
  await seats.fill('40')
  await panel.getByRole('button', { name: 'Clear Seats' }).click()
  await panel.getByRole('tab', { name: 'JSON' }).click()
  await expect(panel.getByRole('textbox', { name: 'Facts' })).toHaveValue(/"city": "Lisbon"/)
  await panel.getByRole('tab', { name: 'Form' }).click()
  await seats.fill('40')
  await launch.click()
  await page.waitForURL(/\/run\/.+/)
  await expect(page.getByText('Lisbon').first()).toBeVisible()
})

test('a refusal leads to the field that it is about, in the form and in JSON', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const broken = {
    type: 'object',
    properties: { city: { type: 'string' }, 'full name': { type: 'thing' } },
  }
  const rules = [
    { kind: 'text', test: 'is not empty' },
    { kind: 'text', test: 'matches', value: '(' },
  ]
  let sendForm = () => {}
  const asked = new Promise<void>((resolve) => {
    sendForm = resolve
  })
  await page.route(/\/rare-controls-/, async (route) => {
    await asked
    await route.continue()
  })
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    {
      flow: {
        nodes: [
          { ...flowNode('facts', 'data', 0, 0, { schema: broken }), title: 'Facts' },
          flowNode('part', 'condition', 420, 0, { cases: [{ port: 'case_1', name: 'Named', rules }] }),
        ],
        edges: [{ from: 'facts.output', to: 'part.value' }],
      },
    },
  )
  await canvas.select('Facts')
  const refusal = canvas.inspector.getByRole('button', { name: /at \$\.properties\["full name"\]\.type/ })
  await refusal.click()
  // The code of the form may come later.
  sendForm()
  const field = canvas.inspector.getByRole('group', { name: 'full name', exact: true })
  await expect(field.getByRole('combobox', { name: 'Type' })).toBeFocused()

  const views = canvas.inspector.getByRole('tablist', { name: 'How to edit Fields' })
  await views.getByRole('tab', { name: 'JSON' }).click()
  await refusal.press('Enter')
  const json = canvas.inspector.getByRole('textbox', { name: 'Fields' })
  await expect(json).toBeFocused()
  const selected = () =>
    json.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))
  await expect.poll(selected).toBe('"thing"')

  // Text that is no JSON: its line.
  await json.fill('{\n  "type": "object",\n  "properties": {"city" 1}\n}')
  await canvas.inspector.getByRole('button', { name: /Go to line 3/ }).click()
  await expect(json).toBeFocused()
  const fromCursor = () => json.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart))
  await expect.poll(fromCursor).toBe('1}\n}')

  // From the list of problems, too.
  await page
    .getByRole('button', { name: /problem/i })
    .first()
    .click()
  const row = page.getByRole('listitem').filter({ hasText: 'Rule 2 of the case' })
  await row.getByRole('button', { name: 'Go to Condition' }).click()
  const rule = canvas.inspector.getByRole('group', { name: 'Rule 2' })
  await expect(rule.getByRole('textbox', { name: 'Regular expression' })).toBeFocused()
})

test('JSON says in which line a value does not fit its field', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const value = { city: 'Lisbon', seats: 0 }
  const nodes = [{ ...flowNode('facts', 'data', 0, 0, { schema, value }), title: 'Facts' }]
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow: { nodes, edges: [] } })
  await canvas.select('Facts')
  const form = canvas.inspector.getByRole('group', { name: 'Value' })
  await expect(form.getByText('At least 1.')).toBeVisible()
  await canvas.inspector.getByRole('tab', { name: 'JSON' }).first().click()
  await canvas.inspector.getByRole('button', { name: /^Line 3: .*seats/i }).click()
  const json = canvas.inspector.getByRole('textbox', { name: 'Value' })
  expect(
    await json.evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    ),
  ).toBe('0')
})
