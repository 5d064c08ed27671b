import { expect, keptTest as test } from '../fixtures'
import { expectAccessibleInBothThemes } from '../fixtures/axe'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

const rules = [{ kind: 'text', test: 'contains', value: 'sale' }]
const FLOW = {
  nodes: [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'A big sale' }),
    flowNode('part', 'condition', 400, 0, { cases: [{ port: 'case_2', name: 'On sale', rules }] }),
    flowNode('say', 'compose', 800, 0, { template: 'Say {{it}}' }),
  ],
  edges: [
    { from: 'ask.output', to: 'part.value' },
    { from: 'part.case_2', to: 'say.it' },
  ],
}

test('the cases of a condition are built in the inspector and name its ports', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow: FLOW })
  await canvas.select('Condition')
  await expect(canvas.port('Condition', 'On sale')).toBeAttached()
  await canvas.inspector.getByRole('button', { name: 'Add a case' }).click()
  await canvas.inspector.getByRole('textbox', { name: 'Name of case 2' }).fill('New in')
  const added = canvas.inspector.getByRole('group', { name: 'Case New in' })
  await added.getByRole('textbox', { name: 'Value' }).fill('new')
  await added.getByRole('button', { name: 'Add a rule' }).click()
  await expect(canvas.port('Condition', 'New in')).toBeAttached()
  await expectAccessibleInBothThemes(page, '[data-region=inspector]')

  await canvas.inspector.getByRole('button', { name: 'Remove the case On sale' }).click()
  await expect(canvas.port('Condition', 'On sale')).toHaveCount(0)
  await canvas.save()
  expect((await canvas.draft(request, server.url, token, id)).edges).toHaveLength(1)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(canvas.port('Condition', 'On sale')).toBeAttached()
  await canvas.save()
  expect((await canvas.draft(request, server.url, token, id)).edges).toHaveLength(2)
})

test('the card of a condition names its cases, and after a run the case that was taken', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const cases = ['Steuerrecht', 'Arbeitsrecht'].map((name, at) => ({
    port: `case_${at + 1}`,
    name,
    rules: [{ kind: 'text', test: 'contains', value: at === 0 ? 'Steuer' : 'Probezeit' }],
  }))
  const nodes = [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'Neue Regeln zur Probezeit' }),
    flowNode('part', 'condition', 400, 0, { cases }),
    flowNode('say', 'compose', 800, 0, { template: 'Zu {{it}}' }),
  ]
  const edges = [
    { from: 'ask.output', to: 'part.value' },
    { from: 'part.case_2', to: 'say.it' },
  ]
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow: { nodes, edges } })
  await expect(canvas.card('Condition')).toContainText('Steuerrecht, Arbeitsrecht')
  await page.keyboard.press('Control+Enter')
  await expect(canvas.card('Condition')).toContainText('Arbeitsrecht: Neue Regeln zur Probezeit')
})
