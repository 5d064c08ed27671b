import type { Page } from '@playwright/test'
import { expect, expectAccessibleInBothThemes, expectNoHorizontalScroll, keptTest as test } from '../fixtures'
import { StreamingModel } from '../fixtures/streaming-model'
import { centerOf, flowNode } from './canvas'
import { openNewFlow } from './flows'

const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}

const flow = {
  nodes: [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'A frosted can on warm cedar' }),
    { ...flowNode('say', 'compose', 320, 0, { template: 'Photo: {{it}}' }), title: 'Say' },
    { ...flowNode('paint', 'image_generation', 640, 0, { provider: 'local', seed: 7 }), title: 'Paint' },
  ],
  edges: [
    { from: 'ask.output', to: 'say.it' },
    { from: 'say.output', to: 'paint.prompt' },
  ],
}

const writing = {
  nodes: [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'Plums' }),
    flowNode('write', 'language_model', 320, 0, { provider: 'openai', model: 'gpt-5-mini' }),
  ],
  edges: [{ from: 'ask.output', to: 'write.prompt' }],
}

test('three variants of a node run side by side, and one is kept, as one undo step', async ({
  signedInPage: page,
  server,
  token,
  request,
}) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const seed = async () => {
    const { nodes } = await canvas.draft(request, server.url, token, id)
    return nodes.find((node) => node.id === 'paint')?.settings.seed
  }
  await canvas.select('Paint')
  await page.keyboard.press('c')
  await page.getByRole('button', { name: 'Other seeds' }).click()
  await page.getByRole('button', { name: 'Run 3 variants' }).click()
  const results = page.getByRole('dialog', { name: 'Comparison of Paint' })
  await expect(results).toContainText('3 of 3 variants finished')
  for (const letter of ['A', 'B', 'C']) {
    await expect(results.getByRole('img', { name: `Variant ${letter}` })).toBeVisible()
  }

  expect(await seed()).toBe(7)
  await page.getByRole('button', { name: 'Keep variant B' }).click()
  await expect(canvas.card('Paint').getByRole('img', { name: 'image-1.png' })).toBeVisible()
  await canvas.save()
  expect(await seed()).not.toBe(7)
  await page.getByLabel('Undo', { exact: true }).click()
  await expect.poll(seed).toBe(7)
})

test('a comparison is set up by the context menu, survives a reload, and the next run reuses what is kept', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
  const paint = canvas.card('Paint')
  const variant = (letter: string) => page.getByRole('region', { name: `Variant ${letter}` })

  await test.step('set up three variants by the context menu', async () => {
    await paint.getByRole('heading').click({ button: 'right' })
    await page.getByRole('menuitem', { name: /^Compare settings/ }).click()
    const setup = page.getByRole('dialog', { name: 'Compare settings of Paint' })
    await expect(setup).toBeVisible()
    const seeds = setup.getByRole('button', { name: 'Other seeds' })
    // Pressed again, it must not be another button.
    const { x, y } = await centerOf(seeds)
    await seeds.click()
    await expect(variant('C')).toBeVisible()
    expect(await centerOf(seeds)).toEqual({ x, y })
    await setup.getByRole('button', { name: 'Add a setting' }).click()
    await page.getByRole('menuitem', { name: 'Aspect ratio' }).click()
    const ratios = variant('B').getByRole('radio')
    await expect(ratios).not.toHaveCount(0)
    const cut = await ratios.evaluateAll((all) =>
      all
        .flatMap((one) => [...one.querySelectorAll('span')])
        .filter((text) => text.scrollWidth > text.clientWidth)
        .map((text) => text.textContent),
    )
    expect(cut).toEqual([])
    await setup.getByRole('button', { name: 'Do not compare Aspect ratio' }).click()
    // What is removed takes no focus with it.
    await setup.getByRole('button', { name: 'Remove variant C' }).press('Enter')
    await expect(setup.getByRole('button', { name: 'Add a variant' })).toBeFocused()
    await setup.getByRole('button', { name: 'Do not compare Model' }).press('Enter')
    await expect(setup.getByRole('button', { name: 'Add a setting' })).toBeFocused()
    await setup.getByRole('button', { name: 'Other seeds' }).click()
    await expect(variant('C')).toBeVisible()
    await expect(setup.getByRole('button', { name: 'Run 3 variants' })).toBeEnabled()
    await expect(setup).toContainText('No cost')
    await shot(page, 'setup')
    await expectAccessibleInBothThemes(page, '[role=dialog]')
  })

  await test.step('all three run, and each shows its image', async () => {
    await page.getByRole('button', { name: 'Run 3 variants' }).click()
    const results = page.getByRole('dialog', { name: 'Comparison of Paint' })
    await expect(results).toContainText('3 of 3 variants finished')
    for (const letter of ['A', 'B', 'C']) {
      await expect(variant(letter).getByRole('img', { name: `Variant ${letter}` })).toBeVisible()
    }
    await shot(page, 'results')
  })

  await test.step('the comparison survives a reload', async () => {
    await page.reload()
    await expect(page.getByRole('dialog', { name: 'Comparison of Paint' })).toContainText('Finished')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoHorizontalScroll(page)
    await page.getByRole('button', { name: 'Keep as separate nodes' }).scrollIntoViewIfNeeded()
    await shot(page, 'results-390')
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  await page.getByRole('button', { name: 'Keep variant B' }).click()
  await expect(paint.getByRole('img', { name: 'image-1.png' })).toBeVisible()

  await test.step('the next run reuses its result at no cost', async () => {
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('region', { name: 'Run 2' })).toContainText('Finished')
    await expect(paint).toContainText('Reused')
    const runs = await request.get(`${server.url}/api/v1/runs/?flow_id=${id}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const [last] = (await runs.json()).items
    expect(Number(last.cost_usd)).toBe(0)
    const run = await request.get(`${server.url}/api/v1/runs/${last.id}`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    const step = (await run.json()).steps.find((one: { id: string }) => one.id === 'paint')
    expect(step.cached).toBe(true)
  })
})

test('three variants stay as separate nodes, as one undo step, and the next run reuses their results', {
  tag: '@thorough',
}, async ({ signedInPage: page, server, token, request }) => {
  const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow })
  await canvas.select('Paint')
  await page.keyboard.press('c')
  await page.getByRole('button', { name: 'Other seeds' }).click()
  await page.getByRole('button', { name: 'Run 3 variants' }).click()

  await test.step('all three stay as separate nodes, as one undo step', async () => {
    const results = page.getByRole('dialog', { name: 'Comparison of Paint' })
    await expect(results).toContainText('3 of 3 variants finished')
    await expectAccessibleInBothThemes(page, '[role=dialog]')
    await results.getByRole('button', { name: 'Keep as separate nodes' }).click()
    await expect(results).toBeHidden()
    for (const title of ['Paint B', 'Paint C']) {
      await expect(canvas.card(title).getByRole('img', { name: 'image-1.png' })).toBeVisible()
    }
    await shot(page, 'kept-nodes')
    await canvas.save()
    const { nodes, edges } = await canvas.draft(request, server.url, token, id)
    const copies = nodes.filter(({ id: node }) => node.startsWith('paint_'))
    expect(new Set(nodes.map(({ settings }) => settings.seed).filter(Boolean)).size).toBe(3)
    expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual(
      expect.arrayContaining(copies.map((node) => `say.output ${node.id}.prompt`)),
    )
  })

  await test.step('the next run reuses their results', async () => {
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('region', { name: 'Run 2' })).toContainText('Finished')
    await expect(canvas.card('Paint C')).toContainText('Reused')
    await page.getByLabel('Undo', { exact: true }).click()
    await expect(canvas.card('Paint B')).toBeHidden()
    await expect(canvas.cards).toHaveCount(3)
  })
})

for (const [place, restarts] of [
  ['in a closed tab', false],
  ['in a closed tab while the server restarts', true],
] as const) {
  test(`one variant is stopped while the other goes on ${place}`, { tag: '@thorough' }, async ({
    signedInPage: page,
    server,
    token,
    request,
    model,
  }) => {
    const { id, canvas } = await openNewFlow({ page, server, token, request }, { flow: writing })
    const variant = (letter: string) => page.getByRole('region', { name: `Variant ${letter}`, exact: true })
    const results = page.getByRole('dialog', { name: 'Comparison of Language model' })

    await test.step('set it up by keyboard: the same settings are refused', async () => {
      await canvas.select('Language model')
      await page.keyboard.press('c')
      const setup = page.getByRole('dialog', { name: 'Compare settings of Language model' })
      await expect(setup).toContainText('Same settings as variant A')
      await expect(setup.getByRole('button', { name: 'Run 2 variants' })).toBeDisabled()
      await setup.getByRole('button', { name: 'Add a setting' }).click()
      await page.getByRole('menuitem', { name: 'System' }).click()
      await variant('B').getByRole('textbox', { name: 'System' }).fill('Write in German.')
      await expect(setup).toContainText(/All variants: .*\$/)
      await shot(page, 'setup-text')
      await setup.getByRole('button', { name: 'Run 2 variants' }).click()
    })

    await test.step('both stream their text; the second one is stopped alone', async () => {
      await expect(variant('A')).toContainText('Late August')
      await expect(variant('B')).toContainText('Late August')
      await expect(variant('B')).toContainText('Write in German.')
      await variant('B').getByRole('button', { name: 'Stop variant B' }).click()
      await expect(variant('B')).toContainText('You stopped this variant.')
      await expect(variant('A')).toContainText('Running')
      await shot(page, 'running')
    })

    await test.step('another tab follows it, and tells of the end', async () => {
      await page.goto('about:blank')
      if (restarts) {
        await server.kill()
        await server.boot()
      }
      const followed = page.waitForRequest(/\/runs\/[^/]+\/events/)
      await canvas.open(id)
      await expect(results).toBeHidden()
      await followed
      model.finish()
      const ended = page.getByText('Comparison of Language model ended: 1 of 2 variants finished')
      await expect(ended.first()).toBeVisible()
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await expect(variant('A')).toContainText('Finished')
      await expect(variant('B')).toContainText('Stopped')
      await expect(page.getByRole('button', { name: 'Keep variant B' })).toBeDisabled()
    })

    await test.step('past runs say that it is a comparison, and open it', async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Run options' }).click()
      await page.getByRole('button', { name: /Comparison of Language model/ }).click()
      await expect(results).toBeVisible()
    })
  })
}

test('variants that have not started are shown after a reload', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
  model,
}) => {
  const behind = {
    nodes: [
      ...writing.nodes,
      { ...flowNode('paint', 'image_generation', 640, 0, { provider: 'local', seed: 7 }), title: 'Paint' },
    ],
    edges: [...writing.edges, { from: 'write.output', to: 'paint.prompt' }],
  }
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow: behind })
  const variant = (letter: string) => page.getByRole('region', { name: `Variant ${letter}`, exact: true })
  const setup = page.getByRole('dialog', { name: 'Compare settings of Paint' })

  await test.step('while they are set up', async () => {
    await canvas.select('Paint')
    await page.keyboard.press('c')
    await setup.getByRole('button', { name: 'Other seeds' }).click()
    const seed = variant('C').getByRole('spinbutton', { name: 'Seed' })
    await seed.fill('4321')
    await page.reload()
    await expect(setup).toBeVisible()
    await expect(seed).toHaveValue('4321')
  })

  await test.step('while a node before them runs', async () => {
    await setup.getByRole('button', { name: 'Run 3 variants' }).click()
    const results = page.getByRole('dialog', { name: 'Comparison of Paint' })
    await expect(variant('A')).toContainText('Waiting for Language model.')
    await page.reload()
    await expect(results).toContainText('0 of 3 variants finished')
    for (const letter of ['A', 'B', 'C']) {
      await expect(variant(letter)).toContainText('Waiting for Language model.')
    }
    await expect(variant('C')).toContainText('4321')
    await shot(page, 'waiting')
    await variant('C').getByRole('button', { name: 'Stop variant C' }).click()
    await expect(variant('C')).toContainText('You stopped this variant.')
    model.finish()
    await expect(results).toContainText('2 of 3 variants finished')
  })

  await test.step('and what was set up for the next comparison is not the one that has run', async () => {
    await page.reload()
    await expect(page.getByRole('dialog', { name: 'Comparison of Paint' })).toBeVisible()
    await expect(setup).toBeHidden()
  })
})

test('a provider without a key is connected where its variant is set up', { tag: '@thorough' }, async ({
  signedInPage: page,
  server,
  token,
  request,
  fakePorts,
}) => {
  const model = await StreamingModel.start(fakePorts.model, 'Late August', ', and the can is cold.')
  model.finish()
  const writing = {
    nodes: [
      flowNode('ask', 'user_prompt', 0, 0, { text: 'Plums' }),
      flowNode('write', 'language_model', 320, 0, { provider: 'local' }),
    ],
    edges: [{ from: 'ask.output', to: 'write.prompt' }],
  }
  const { canvas } = await openNewFlow({ page, server, token, request }, { flow: writing })
  const variant = (letter: string) => page.getByRole('region', { name: `Variant ${letter}`, exact: true })
  await canvas.select('Language model')
  await page.keyboard.press('c')
  const setup = page.getByRole('dialog', { name: 'Compare settings of Language model' })
  await setup.getByRole('button', { name: 'Add a setting' }).click()
  await page.getByRole('menuitem', { name: 'Provider' }).click()
  await setup.getByRole('button', { name: 'Do not compare Model' }).click()
  await variant('B').getByRole('combobox', { name: 'Provider' }).click()
  await page.getByRole('option', { name: 'OpenAI', exact: true }).click()
  await expect(variant('B').getByRole('alert')).toContainText('OpenAI needs a key')
  await expect(setup.getByRole('button', { name: 'Run 2 variants' })).toBeDisabled()
  await shot(page, 'connect')
  await expectAccessibleInBothThemes(page, '[role=dialog]')
  await variant('B').getByRole('button', { name: 'Connect' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect OpenAI' })
  await dialog.getByLabel('Key').fill('good-key-123456')
  await shot(page, 'connect-dialog')
  await dialog.getByRole('button', { name: 'Save the key' }).click()
  await expect(dialog).toBeHidden()
  await expect(variant('B').getByRole('alert')).toBeHidden()
  await expect(variant('B').getByRole('combobox', { name: 'Provider' })).toContainText('OpenAI')
  await setup.getByRole('button', { name: 'Run 2 variants' }).click()
  await expect(variant('B')).toContainText('Late August, and the can is cold.')
  model.stop()
})
