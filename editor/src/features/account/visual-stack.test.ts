// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { countUseCases } from './visual-stack'

test("lists the categories of the user's agents, the most frequent first", () => {
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

test('is empty without agents', () => {
  expect(countUseCases([{ mine: false, category: 'ads' }])).toEqual([])
})
