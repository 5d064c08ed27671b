import { expect, expectAccessibleInBothThemes, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

const SHOTS = process.env.SHOTS

const nodes = [
  flowNode('ask', 'user_prompt', 0, 0, { text: 'A lamp' }),
  flowNode('words', 'compose', 420, 0, { template: 'Write about {{ask}}. Tone: {{tone}}.' }),
  { ...flowNode('paint', 'image_generation', 840, 0, { provider: 'local', n_images: 2 }), title: 'Paint' },
  { ...flowNode('more', 'image_generation', 840, 520, { provider: 'local', n_images: 1 }), title: 'Further' },
]
const edges = [
  { from: 'ask.output', to: 'words.ask' },
  { from: 'words.output', to: 'paint.prompt' },
  { from: 'words.output', to: 'more.prompt' },
]

test('a value and a placeholder become variables, which another setting and the run use', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas, id } = await openNewFlow(
    { page, server, token, request },
    { name: 'Lamps', flow: { nodes, edges } },
  )
  const use = canvas.inspector.getByRole('button', { name: 'Use a variable for Number of images' })
  await canvas.select('Paint')
  await use.click()
  await page.getByRole('menuitem', { name: 'New variable from this value' }).click()
  await expect(
    canvas.inspector.getByRole('button', { name: 'Open the variable number_of_images' }),
  ).toBeFocused()
  await canvas.select('Further')
  await use.click()
  await page.getByRole('menuitem', { name: /number_of_images/ }).click()
  await expect(
    canvas.card('Further').getByRole('img', { name: 'Set by variables: Number of images: number_of_images' }),
  ).toBeVisible()

  await canvas.select('Compose')
  await canvas.inspector.getByRole('button', { name: 'Make tone a variable' }).click()
  const panel = page.getByRole('region', { name: 'Variables' })
  await expect(panel.getByLabel('Name')).toHaveValue('tone')
  await panel.getByLabel('Value', { exact: true }).fill('dry')
  await expectAccessibleInBothThemes(page, '[data-region=variables]')
  await canvas.save()
  expect(await canvas.draft(request, server.url, token, id)).toMatchObject({
    format: 2,
    variables: [
      { name: 'number_of_images', value: 2 },
      { name: 'tone', value: 'dry' },
    ],
  })

  // It draws no images.
  await page.getByRole('button', { name: 'Run options' }).click()
  await page.getByRole('button', { name: 'Run to Compose' }).click()
  await expect(canvas.card('Compose')).toContainText('Write about A lamp. Tone: dry.')
})

test('a variable keeps the focus where it is used, is renamed, and is deleted with its value in place', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    { name: 'Lamps', flow: { nodes, edges } },
  )
  const panel = page.getByRole('region', { name: 'Variables' })
  const shot = async (name: string) => {
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` })
  }

  // A new variable from a value.
  await canvas.select('Paint')
  await canvas.inspector.getByRole('button', { name: 'Use a variable for Number of images' }).click()
  await shot('menu')
  await page.getByRole('menuitem', { name: 'New variable from this value' }).click()
  const opens = canvas.inspector.getByRole('button', { name: 'Open the variable number_of_images' })
  await expect(opens).toBeFocused()
  await shot('inspector')

  // The focus stays in the row of the setting.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(
    canvas.inspector.getByRole('button', { name: 'Use a variable for Number of images' }),
  ).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /number_of_images/ }).press('Enter')
  await expect(opens).toBeFocused()
  await canvas.select('Further')
  await canvas.inspector.getByRole('button', { name: 'Use a variable for Number of images' }).click()
  await page.getByRole('menuitem', { name: /number_of_images/ }).click()
  await expect(
    canvas.card('Further').getByRole('img', { name: 'Set by variables: Number of images: number_of_images' }),
  ).toBeVisible()

  // A placeholder of a text becomes a variable, and is no input any more.
  await canvas.select('Compose')
  await canvas.inspector.getByRole('button', { name: 'Make tone a variable' }).click()
  await expect(panel.getByLabel('Name')).toHaveValue('tone')
  await panel.getByLabel('Value', { exact: true }).fill('dry')
  await panel.getByLabel('Description').fill('How it sounds')
  await expect(panel.getByText('Used in 1 place', { exact: true })).toBeVisible()
  await shot('panel')

  // Renaming changes every use, and is one undo step.
  await panel.getByLabel('Name').fill('ask')
  await panel.getByLabel('Name').press('Enter')
  await expect(panel.getByText('Compose uses this variable and has an input of this name.')).toBeVisible()
  await panel.getByLabel('Name').fill('voice')
  await panel.getByLabel('Name').press('Enter')
  await expect(canvas.card('Compose')).toContainText('Tone: {{voice}}.')
  await page.locator('.react-flow__node[data-id=words]').focus()
  await page.keyboard.press('Control+z')
  await expect(canvas.card('Compose')).toContainText('Tone: {{tone}}.')
  await page.keyboard.press('Control+Shift+z')
  await canvas.save()

  // A menu inserts a variable in the text, where the cursor was.
  await panel.getByRole('button', { name: 'Close variables' }).click()
  await canvas.select('Compose')
  const template = canvas.inspector.getByRole('textbox', { name: 'Template' })
  await template.press('Control+End')
  await canvas.inspector.getByRole('button', { name: 'Use a variable for Template' }).click()
  await page.getByRole('menuitem', { name: '{{voice}}', exact: true }).click()
  await expect(template).toHaveValue('Write about {{ask}}. Tone: {{voice}}.{{voice}}')
  await page.keyboard.press('Control+z')
  await expect(template).toHaveValue('Write about {{ask}}. Tone: {{voice}}.')

  // The run uses the values; it draws no images.
  await page.getByRole('button', { name: 'Run options' }).click()
  await page.getByRole('button', { name: 'Run to Compose' }).click()
  await expect(canvas.card('Compose')).toContainText('Write about A lamp. Tone: dry.')

  // Deleting a used variable says where it is used, and keeps its value there.
  await page.locator('.react-flow__node[data-id=words]').focus()
  await page.keyboard.press('v')
  await panel.getByRole('button', { name: 'number_of_images' }).click()
  await panel.getByRole('button', { name: 'Used in 2 places' }).click()
  await expect(page.locator('.react-flow__node.selected')).toHaveCount(2)
  await panel.getByRole('button', { name: 'Delete number_of_images' }).click()
  await expect(panel.getByRole('alert')).toContainText(
    'Number of images of Paint, Number of images of Further',
  )
  await shot('delete')
  await panel.getByRole('button', { name: 'Cancel' }).click()
  const remove = panel.getByRole('button', { name: 'Delete number_of_images' })
  await expect(remove).toBeFocused()
  await remove.press('Enter')
  await panel.getByRole('button', { name: 'Delete and keep the value there' }).click()
  await expect(panel.getByText('1 variable')).toBeVisible()
  await expect(canvas.card('Further').getByRole('img', { name: /Set by variables/ })).toBeHidden()

  // A new variable is named first.
  await panel.getByRole('button', { name: 'Add a variable' }).click()
  await expect(panel.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('length')
  await page.keyboard.press('Tab')
  await expect(panel.getByRole('combobox', { name: 'Type' })).toBeFocused()
  await panel.getByLabel('Name').fill('size')
  await panel.getByRole('button', { name: 'Delete length' }).click()
  await expect(panel.getByText('1 variable')).toBeVisible()
  await canvas.save()
  const saved = await page.evaluate(
    async ([url, key]) => {
      const answer = await fetch(url as string, { headers: { Authorization: `Bearer ${key}` } })
      return (await answer.json()) as { flow: unknown }
    },
    [`${server.url}/api/v1/flows/${page.url().split('/').filter(Boolean).at(-1)}`, token],
  )
  expect(saved.flow).toMatchObject({
    format: 2,
    variables: [{ name: 'voice', type: 'Text', value: 'dry', description: 'How it sounds' }],
  })
  expect(JSON.stringify(saved.flow)).not.toContain('number_of_images')
})

test('a missing variable is a problem with a button that adds it, and the panel is whole on a phone', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const missing = nodes.map((node) =>
    node.id === 'paint' ? { ...node, variables: { n_images: 'count' } } : node,
  )
  const flow = { format: 2, nodes: missing, edges }
  const { canvas } = await openNewFlow({ page, server, token, request }, { name: 'Missing', flow })
  await page.getByRole('button', { name: '1 problem' }).click()
  const problems = page.getByRole('region', { name: 'Problems' })
  await expect(problems).toContainText('Number of images is set to count, which this agent does not have')
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/problem.png` })
  await problems.getByRole('button', { name: 'Add count' }).click()
  await expect(problems.getByText('No problems')).toBeVisible()
  await problems.getByRole('button', { name: 'Close problems' }).click()
  await canvas.save()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Variables' }).click()
  const dialog = page.getByRole('dialog', { name: 'Variables' })
  await dialog.getByRole('button', { name: 'count' }).click()
  await expect(dialog.getByLabel('Value', { exact: true })).toHaveValue('2')
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/phone.png` })
  await expectAccessibleInBothThemes(page, '[role=dialog]')
})
