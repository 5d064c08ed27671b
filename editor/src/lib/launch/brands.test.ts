// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import {
  agentBrand,
  brandField,
  brandValue,
  choiceOf,
  chooseBrand,
  isBrandValue,
  isGone,
  isNoBrand,
  NO_BRAND,
  optionOf,
  saved,
  swatchesOf,
  useChosenBrand,
} from './brands'
import { type Field, fieldsOf } from './fields'

function field(settings: object = {}, initial: unknown = null): Field {
  const schema = {
    properties: {
      prompt: { type: 'string', 'x-type': 'Text' },
      brand: { type: 'object', default: initial, 'x-type': 'Brand', 'x-settings': { ...settings } },
    },
  }
  const found = brandField(fieldsOf(schema))
  if (!found) throw new Error('The form has a brand.')
  return found
}

const known = {
  options: ['fjell', 'volt'].map((id) => ({ id, name: id, colors: [], isExample: false })),
  defaultId: 'fjell',
  isPending: false,
}

beforeEach(() => localStorage.clear())

describe('the brand of a launch', () => {
  it('is the default brand until one is chosen', () => {
    expect(brandValue(field(), null, known)).toEqual(saved('fjell'))
    expect(brandValue(field(), null, { ...known, defaultId: null })).toBeNull()
  })

  it('is the agent’s own before the default one', () => {
    expect(brandValue(field({ brand_name: 'Own' }), null, known)).toBeNull()
    expect(brandValue(field({}, saved('volt')), { kind: 'agent' }, known)).toBeNull()
  })

  it('is the chosen one for every agent', () => {
    const choice = { kind: 'saved', id: 'volt' } as const
    for (const one of [field(), field({ brand_name: 'Own' })])
      expect(brandValue(one, choice, known)).toEqual(saved('volt'))
    expect(brandValue(field({ brand_name: 'Own' }), { kind: 'none' }, known)).toEqual(NO_BRAND)
  })

  it('is shown in every prompt bar as soon as it is chosen', () => {
    for (const choice of [{ kind: 'none' }, { kind: 'saved', id: 'volt' }] as const) {
      chooseBrand(choice)
      expect(useChosenBrand.getState().choice).toEqual(choice)
    }
  })

  it('is not a brand that was deleted since', () => {
    const gone = { kind: 'saved', id: 'gone' } as const
    expect(brandValue(field(), gone, known)).toEqual(saved('fjell'))
    expect(brandValue(field(), gone, { ...known, options: [], isPending: true })).toEqual(saved('gone'))
  })
})

it('knows whether an agent has a brand by itself', () => {
  expect(agentBrand(field({ brand_name: '', palette: [], fonts: [] }))).toBeNull()
  expect(agentBrand(field({ palette: ['#112233'] }))).toMatchObject({ palette: ['#112233'] })
})

it('remembers the choice in this browser', () => {
  chooseBrand(choiceOf(saved('volt@3')))
  expect(JSON.parse(localStorage.getItem('impasto.brand') ?? '')).toEqual({ kind: 'saved', id: 'volt' })
  expect(choiceOf(NO_BRAND)).toEqual({ kind: 'none' })
  expect(choiceOf(null)).toEqual({ kind: 'agent' })
})

it('shows the colors in the order of their roles', () => {
  const colors = [
    { hex: '#000001', role: 'accent' as const },
    { hex: '#000002' },
    { hex: '#000003', role: 'primary' as const },
  ]
  expect(swatchesOf({ name: 'x', colors } as never)).toEqual(['#000003', '#000001', '#000002'])
})

describe('isGone', () => {
  const loaded = { ...known, isError: false }
  it('is true for a reference to a brand that the user does not have', () => {
    expect(isGone(saved('deleted@2'), loaded)).toBe(true)
    expect(isGone(saved('fjell@2'), loaded)).toBe(false)
    expect(isGone(null, loaded)).toBe(false)
  })
  it('is false until the brands are known', () => {
    expect(isGone(saved('deleted'), { ...loaded, isPending: true })).toBe(false)
    expect(isGone(saved('deleted'), { ...loaded, isError: true })).toBe(false)
  })
})

it.each([
  [NO_BRAND, true],
  [{ ...NO_BRAND, brand_name: '', palette: [] }, true],
  [saved('fjell'), false],
  [{ ...NO_BRAND, brand_name: 'Own' }, false],
  [{ ...NO_BRAND, palette: ['#112233'] }, false],
])('%j is no brand: %s', (value, isNone) => {
  expect(isNoBrand(value)).toBe(isNone)
})

it('recognizes the value of a brand', () => {
  expect([NO_BRAND, saved('fjell')].map(isBrandValue)).toEqual([true, true])
  expect(['Brand', null, undefined, 7, {}, { $type: 'Image' }].some(isBrandValue)).toBe(false)
})

it.each([
  ['its name', { brand_name: 'Own' }],
  ['its colors', { palette: ['#112233'] }],
])('the agent has its own brand by %s', (_, settings) => {
  expect(agentBrand(field(settings))).toEqual({ $type: 'Brand', ...settings })
})

it('the agent has its own brand by a saved one', () => {
  expect(agentBrand(field({}, saved('volt')))).toEqual(saved('volt'))
  expect(agentBrand(field({ palette: [] }))).toBeNull()
  expect(agentBrand(field())).toBeNull()
})

it('finds the first field for a single brand that is no setting of a node', () => {
  const brand = { type: 'object', 'x-type': 'Brand' }
  const fields = fieldsOf({
    properties: {
      text: { type: 'string', 'x-type': 'Text' },
      several: { ...brand, type: 'array', 'x-type': 'list[Brand]' },
      'paint.brand': { ...brand, 'x-setting': 'brand' },
      first: brand,
      second: brand,
    },
  })
  expect(brandField(fields)?.id).toBe('first')
  expect(brandField(fields.slice(0, 3))).toBeNull()
})

it('offers a brand with its name and its first four colors', () => {
  const colors = ['#000001', '#000002', '#000003', '#000004', '#000005'].map((hex) => ({ hex }))
  const summary = { id: 'fjell', content: { name: 'Fjell', colors }, example: true }
  expect(optionOf(summary as never)).toEqual({
    id: 'fjell',
    name: 'Fjell',
    colors: ['#000001', '#000002', '#000003', '#000004'],
    isExample: true,
  })
  expect(optionOf({ ...summary, content: { name: 'Fjell' } } as never).colors).toEqual([])
})
