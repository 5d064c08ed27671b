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
  await canvas.saved()
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
