import { expect, keptTest as test } from '../fixtures'
import { flowNode } from './canvas'
import { openNewFlow } from './flows'

/** Identifiers, type names and JSON as the server sends them. */
const RAW = /\bauto\b|openai_compatible|social_post|\bJson\b|\blist of\b|\btrue\b|\bfalse\b|[{}]/

test('settings, ports and results show labels, not raw values', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const rows = [
    { scene: 'Dawn', approved: true },
    { scene: 'Noon', approved: false },
  ]
  const parts = [
    { part: 'Chain', price: 25 },
    { part: 'Brakes', price: 12 },
  ]
  const quoted = {
    output: { type: 'Text', depth: 0, value: JSON.stringify({ parts }, null, 2) },
    data: { type: 'Json', depth: 0, value: { parts } },
  }
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    {
      flow: {
        nodes: [
          flowNode('write', 'language_model', 0, 0, { output_schema_preset: 'social_post' }),
          flowNode('shots', 'table', 420, 0, { rows }),
          flowNode('first', 'take', 780, 0, { count: 5 }),
          { ...flowNode('quote', 'language_model', 0, 420), title: 'Quote', pin: { outputs: quoted } },
        ],
        edges: [{ from: 'shots.output', to: 'first.items' }],
      },
    },
  )

  await test.step('an answer as data is a table, not the JSON of its text', async () => {
    await expect(canvas.card('Quote').getByRole('row')).toHaveText(['PartPrice', 'Chain25', 'Brakes12'])
    await expect(canvas.card('Quote')).not.toContainText('{')
  })

  await test.step('choices have labels', async () => {
    await canvas.select('Language model')
    const provider = canvas.inspector.getByLabel('Provider', { exact: true })
    await expect(provider).toHaveText('Automatic')
    await expect(canvas.inspector.getByLabel('Output schema', { exact: true })).toHaveText('Social post')
    await provider.click()
    await expect(page.getByRole('option', { name: 'OpenAI-compatible server' })).toBeVisible()
    const options = await page.getByRole('option').allTextContents()
    expect(options.filter((option) => RAW.test(option))).toEqual([])
    await page.keyboard.press('Escape')
  })

  await test.step('ports are described by their type', async () => {
    await expect(canvas.inspector.getByText('Images (optional)')).toBeVisible()
    await canvas.inspector.getByRole('tab', { name: 'About' }).click()
    await expect(canvas.inspector.getByText('Images (optional)')).toBeVisible()
    await expect(canvas.inspector.getByText('Data', { exact: true }).first()).toBeVisible()
    expect(await canvas.inspector.getByRole('list').allTextContents()).not.toContainEqual(
      expect.stringMatching(/\bJson\b|\blist of\b/),
    )
  })

  await test.step('a structured result is a table', async () => {
    await canvas.select('Table')
    await page.getByRole('button', { name: 'Run options' }).click()
    await page.getByRole('button', { name: 'Run to Table' }).click()
    await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')
    await canvas.inspector.getByRole('tab', { name: 'Result' }).click()
    const table = canvas.inspector.getByRole('table')
    await expect(table.getByRole('row')).toHaveText(['ApprovedScene', 'YesDawn', 'NoNoon'])
    await expect(canvas.inspector.getByRole('button', { name: 'Copy as JSON' })).toBeVisible()
    await expect(canvas.inspector).not.toContainText(RAW)
    await expect(canvas.card('Table')).not.toContainText(RAW)
  })

  await test.step('on the card, too', async () => {
    await canvas.select('Take')
    await page.getByRole('button', { name: 'Run options' }).click()
    await page.getByRole('button', { name: 'Run to Take' }).click()
    const rows = canvas.card('Take').getByRole('row')
    await expect(rows).toHaveText(['ApprovedScene', 'YesDawn', 'NoNoon'])
    await expect(canvas.card('Take')).toContainText('2 rows')
    // Enlarged text leaves room for a whole row of it.
    const zoom = page.getByRole('button', { name: /^Zoom \d/ })
    const percent = async () => Number.parseInt((await zoom.textContent()) ?? '', 10)
    await canvas.card('Take').focus()
    for (let before = await percent(); before > 65; before = await percent()) {
      await page.keyboard.press('-')
      await expect.poll(percent).toBeLessThan(before)
    }
    const isShown = () =>
      rows.nth(1).evaluate((row) => {
        const { left, bottom } = row.getBoundingClientRect()
        return row.contains(document.elementFromPoint(left + 4, bottom - 2))
      })
    await expect.poll(isShown).toBe(true)
  })
})
