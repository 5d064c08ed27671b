import { expect, keptTest as test } from '../fixtures'
import { FakeProviders } from '../fixtures/fake-providers'
import { Canvas, createFlow, flowNode } from './canvas'
import { mediaFlow, openNewFlow } from './flows'

const flow = mediaFlow()

test('Run to here runs only the required steps; past runs open on the canvas', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas } = await openNewFlow({ page, server, token, request }, { name: 'Part', flow })
  await canvas.select('Compose')
  await page.getByRole('button', { name: 'Run options' }).click()
  await page.getByRole('button', { name: 'Run to Compose' }).click()
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')
  await expect(canvas.card('Compose').getByRole('img', { name: 'Finished' })).toBeVisible()
  await expect(canvas.card('Image generation').getByRole('img', { name: 'Finished' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Hide run' }).click()
  await expect(page.getByRole('region', { name: 'Run 1' })).toBeHidden()
  await page.getByRole('button', { name: 'Run options' }).click()
  await page.getByRole('button', { name: /^Run 1/ }).click()
  await expect(canvas.card('Compose')).toContainText('Say A frosted can on warm cedar')
})

test('a failed step shows its error and can be tried again', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    {
      name: 'Failing',
      flow: {
        nodes: [
          flowNode('ask', 'user_prompt', 0, 0, { text: 'not data' }),
          flowNode('pick', 'pick', 320, 0, { path: 'a' }),
          flowNode('say', 'compose', 640, 0, { template: '{{it}}' }),
        ],
        edges: [
          { from: 'ask.output', to: 'pick.data' },
          { from: 'pick.output', to: 'say.it' },
        ],
      },
    },
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const pick = canvas.card('Pick from data')
  await expect(pick.getByRole('button', { name: 'Try again from here' })).toBeVisible()
  await expect(canvas.card('Compose')).toContainText('Skipped because Pick from data failed.')
  await canvas.select('User prompt')
  await canvas.inspector.getByLabel('Prompt', { exact: true }).fill('{"a": ["now it is"]}')
  await pick.getByRole('button', { name: 'Try again from here' }).click()
  await expect(canvas.card('Compose')).toContainText('now it is')
})

test('the bar of a run that starts covers no card of a flow that was fitted before', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const lines = [0, 1, 2, 3].map((at) =>
    flowNode(`say${at}`, 'compose', 360, at * 280, { template: '{{it}}' }),
  )
  const flow = {
    nodes: [flowNode('ask', 'user_prompt', 0, 0, { text: 'a can' }), ...lines],
    edges: lines.map((_, at) => ({ from: 'ask.output', to: `say${at}.it` })),
  }
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow })
  await expect(canvas.cards).toHaveCount(5)
  await page.getByRole('button', { name: 'Zoom to fit' }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const bar = page.getByRole('region', { name: 'Run 1' })
  await expect(bar).toContainText('Finished')
  const bottoms = () =>
    canvas.cards.evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().bottom))
  const covered = async () => Math.max(...(await bottoms())) - ((await bar.boundingBox())?.y ?? 0)
  await expect.poll(covered).toBeLessThan(0)
})

test('the button below a long error is never cut off', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const path = Array.from({ length: 20 }, () => 'chapters').join('.')
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    {
      flow: {
        nodes: [
          flowNode('ask', 'user_prompt', 0, 0, { text: '{"a": 1}' }),
          flowNode('pick', 'pick', 320, 0, { path }),
        ],
        edges: [{ from: 'ask.output', to: 'pick.data' }],
      },
    },
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const pick = canvas.card('Pick from data')
  await expect(pick).toContainText('There is nothing at')
  const again = pick.getByRole('button', { name: 'Try again from here' })
  const isWhole = () =>
    again.evaluate((button) => {
      const { left, width, bottom } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(left + width / 2, bottom - 2))
    })
  await expect.poll(isWhole).toBe(true)
})

test('running one node again reuses the steps before it', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    {
      name: 'Again',
      flow: {
        nodes: [
          flowNode('ask', 'user_prompt', 0, 0, { text: 'a can' }),
          { ...flowNode('say', 'compose', 320, 0, { template: 'Say {{it}}' }), title: 'First' },
          { ...flowNode('end', 'compose', 640, 0, { template: '{{it}}, twice' }), title: 'Last' },
        ],
        edges: [
          { from: 'ask.output', to: 'say.it' },
          { from: 'say.output', to: 'end.it' },
        ],
      },
    },
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Run 1' })).toContainText('Finished')
  await canvas.select('Last')
  await page.getByRole('button', { name: 'Run options' }).click()
  await page.getByRole('button', { name: 'Run Last again' }).click()
  await expect(page.getByRole('region', { name: 'Run 2' })).toContainText('Finished')
  await expect(canvas.card('First')).toContainText('Reused')
  await expect(canvas.card('Last')).toContainText('Say a can, twice')
  await expect(canvas.card('Last')).not.toContainText('Reused')
})

test('problems are listed while building and lead to their node', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { canvas } = await openNewFlow(
    { page, server, token, request },
    {
      name: 'Holes',
      flow: { nodes: [flowNode('paint', 'image_generation', 0, 0)] },
    },
  )
  await page.getByRole('button', { name: '1 problem' }).click()
  await page.getByRole('button', { name: 'Go to Image generation' }).click()
  await expect(canvas.inspector.getByText('Makes')).toBeVisible()
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByRole('button', { name: 'Publish version 1' })).toBeDisabled()
})

const twoVoices = {
  nodes: [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'Poured slowly, on purpose. '.repeat(40) }),
    { ...flowNode('one', 'text_to_speech', 320, -160, { provider: 'elevenlabs' }), title: 'First voice' },
    { ...flowNode('two', 'text_to_speech', 320, 160, { provider: 'elevenlabs' }), title: 'Second voice' },
  ],
  edges: [
    { from: 'ask.output', to: 'one.text' },
    { from: 'ask.output', to: 'two.text' },
  ],
}

test('a budget shows a warning, persists, and stops the run before it is exceeded', async ({
  signedInPage: page,
  server,
  token,
  context,
  providers: _,
}) => {
  test.setTimeout(480_000)
  const headers = { Authorization: `Bearer ${token}` }
  const key = `${server.url}/api/v1/credentials/elevenlabs`
  expect((await context.request.put(key, { data: { key: FakeProviders.GOOD_KEY }, headers })).ok()).toBe(true)
  const id = await createFlow(context.request, server.url, token, { name: 'Spent', flow: twoVoices })
  const canvas = new Canvas(page)
  const bar = page.getByRole('toolbar', { name: 'Agent' })
  await page.goto(`${server.url}/flow/${id}`)
  await expect(canvas.card('First voice')).toContainText(/about \$0\.\d+/)
  await expect(bar).toContainText(/about \$0\.\d+/)
  const estimate = Number(/about \$([\d.]+)/.exec((await bar.textContent()) ?? '')?.[1])
  const budget = (estimate * 0.75).toFixed(2)

  await page.getByRole('button', { name: 'Run options' }).click()
  await page.getByLabel('Spend at most').fill(budget)
  await expect(page.getByRole('status').filter({ hasText: 'It will stop before it exceeds' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(bar).toContainText('at most $')
  await page.getByRole('button', { name: 'Run', exact: true }).click()

  const dock = page.getByRole('region', { name: 'Run 1' })
  const message = `The run reached its budget of $${Number(budget)} and was stopped.`
  await expect(dock).toContainText(message)
  const voices = page.locator('.react-flow__node-card').filter({ hasText: 'voice' })
  await expect(voices.getByText('Skipped because the run reached its budget.')).toHaveCount(1)
  await expect(voices.getByRole('img', { name: 'Finished' })).toHaveCount(1)
  const runs = await (await context.request.get(`${server.url}/api/v1/runs/`, { headers })).json()
  expect(runs.items[0]).toMatchObject({ status: 'failed' })
  expect(Number(runs.items[0].cost_usd)).toBeGreaterThan(0)
  await page.reload()
  await expect(dock).toContainText(message)
})
