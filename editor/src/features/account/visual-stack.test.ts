// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { countUseCases } from './visual-stack'

test("the categories of one's own agents, the most used first", () => {
  expect(
    countUseCases([
      { mine: true, category: 'ads' },
      { mine: false, category: 'brand_content' },
      { mine: true, category: 'creative_assets' },
      { mine: true, category: 'creative_assets' },
    ]),
  ).toEqual([
    { category: 'creative_assets', agents: 2 },
    { category: 'ads', agents: 1 },
  ])
})

test('who has no agent has no use case', () => {
  expect(countUseCases([{ mine: false, category: 'ads' }])).toEqual([])
})
