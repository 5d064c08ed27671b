import { describe, expect, it, test } from 'vitest'
import { SAMPLE, sampleNode } from '@/test/flow-samples'
import { Catalog, EMPTY_CATALOG, type NodeType, type Schema } from './catalog'
import type { FlowNode } from './document'
import {
  canExpose,
  describeSettings,
  exposableFields,
  formatSettingValue,
  formatValue,
  isShown,
  mainFields,
  membersOf,
  modelFieldOf,
  modelLabelOf,
  type SettingField,
  settingAt,
} from './setting-fields'

const provider: Schema = {
  type: 'string',
  enum: ['auto', 'openai_compatible', 'local'],
  'x-ui': { labels: { openai_compatible: 'OpenAI-compatible server' } },
}
const brand: Schema = {
  type: 'object',
  properties: {
    tone: { type: 'string', title: 'Tone' },
    palette: { type: 'array', items: { type: 'string' } },
    strict: { type: 'boolean' },
  },
}

describe('a setting as text', () => {
  it.each<[Schema | undefined, unknown, string]>([
    [provider, 'auto', 'Automatic'],
    [provider, 'openai_compatible', 'OpenAI-compatible server'],
    [{ anyOf: [provider, { type: 'null' }] }, null, ''],
    [{ type: 'string' }, 'auto', 'auto'],
    [{ type: 'boolean' }, true, 'Yes'],
    [{ type: 'array', items: { type: 'string', enum: ['top_left'] } }, ['top_left'], 'Top left'],
    [
      brand,
      { tone: 'dry', palette: ['#fff', '#000'], strict: false },
      'Tone: dry\nPalette: #fff, #000\nStrict: No',
    ],
    [undefined, { $type: 'Image', asset_id: 'a', name: 'can.png' }, 'can.png'],
    [undefined, { $type: 'Image', asset_id: 'a' }, 'Image'],
    [undefined, { rows: [{ scene: 'Dawn' }] }, 'Rows: Scene: Dawn'],
  ])('%j with %j is %j', (schema, value, text) => {
    expect(formatValue(schema, value)).toBe(text)
  })

  it('names a choice and a switch on the card', () => {
    const field = (title: string, schema: Schema) =>
      ({ name: 'x', title, schema, advanced: false, main: true, group: null, required: false }) as const
    expect(formatSettingValue(field('Provider', provider), 'openai_compatible')).toBe(
      'OpenAI-compatible server',
    )
    expect(formatSettingValue(field('Trim', { type: 'boolean' }), false)).toBe('Trim: No')
  })
})

const type = {
  settings: {
    properties: {
      aspect_ratio: { type: 'string' },
      brand,
      model: { type: 'string', default: '', 'x-ui': { options: true } },
    },
  },
} as unknown as NodeType

test('a provider is shown by the title that the server lists', () => {
  const settings: Schema = {
    type: 'object',
    properties: { provider: { enum: ['auto', 'forge_works', 'gone'] } },
  }
  const catalog = new Catalog({
    ...EMPTY_CATALOG.data,
    types: [{ id: 'draw', summary: 'Draws.', settings } as NodeType],
    providers: [{ id: 'forge_works', title: 'The Forge' }],
  })
  const schema = catalog.type('draw')?.settings.properties?.provider
  expect(['auto', 'forge_works', 'gone'].map((value) => formatValue(schema, value))).toEqual([
    'Automatic',
    'The Forge',
    'Gone',
  ])
})

test('a path of settings has the titles of its members', () => {
  expect(settingAt(type, 'aspect_ratio').title).toBe('Aspect ratio')
  expect(settingAt(type, 'brand.tone')).toMatchObject({ title: 'Brand, Tone', schema: { type: 'string' } })
  expect(settingAt(undefined, 'line_height')).toEqual({ title: 'Line height', schema: undefined })
})

test('a card names the model without its owner', () => {
  const node = {
    id: 'a',
    type: 't',
    version: 1,
    settings: { model: 'black-forest-labs/flux-1.1-pro' },
    position: { x: 0, y: 0 },
  }
  expect(modelLabelOf(node, type)).toBe('flux-1.1-pro')
})

test('a card names no setting as its model that is advanced or has no options of the server', () => {
  const settings = { model: 'mini', aspect_ratio: '1:1', voice: 'Ada', engine: 'turbo' }
  const properties = {
    voice: { type: 'string', 'x-ui': { options: true } },
    engine: { type: 'string', 'x-ui': { options: true, advanced: true } },
    ...type.settings.properties,
  }
  const node = { id: 'a', type: 't', version: 1, settings, position: { x: 0, y: 0 } }
  expect(modelLabelOf(node, { settings: { properties } } as unknown as NodeType)).toBe('mini')
  const voiced = { ...node, settings: { ...settings, model: '' } }
  expect(modelLabelOf(voiced, { settings: { properties } } as unknown as NodeType)).toBe('Ada')
})

test('the summary of a node leaves out the settings that edges drive', () => {
  const type = SAMPLE.type('image_generation') as NodeType
  const node = sampleNode('paint', 'image_generation', { settings: { n_images: 2 } })
  expect(describeSettings(node, type)).toBe('N images 2')
  expect(describeSettings(node, type, ['n_images'])).toBe(type.summary)
})

test('a number of zero is shown', () => {
  const [field] = membersOf({
    properties: { seconds: { type: 'number', title: 'Length', 'x-ui': { unit: 's' } } },
  })
  expect(field && formatSettingValue(field, 0)).toBe('Length 0 s')
})

test('a list of named things is shown by their names, others by their number', () => {
  const [field] = membersOf({ properties: { cases: { type: 'array' } } })
  const shown = (value: unknown) => field && formatSettingValue(field, value)
  expect(shown([{ name: 'Tax', port: 'case_1' }, { name: 'Labour' }])).toBe('Tax, Labour')
  expect(shown([{ name: 'Tax' }, { port: 'case_2' }])).toBe('2 items')
})

test('fields stand in the order that their author gave them, others in that of their declaration', () => {
  const order = (orders: Record<string, number | undefined>) =>
    membersOf({
      properties: Object.fromEntries(
        Object.entries(orders).map(([name, at]) => [
          name,
          { type: 'string', 'x-ui': { order: at } } as Schema,
        ]),
      ),
    }).map(({ name }) => name)
  expect(order({ a: 3, b: 1, c: 2 })).toEqual(['b', 'c', 'a'])
  expect(order({ a: undefined, b: undefined, c: 0 })).toEqual(['a', 'c', 'b'])
})

test('the summary of a node is its text, else its first three settings', () => {
  const properties = {
    place: { type: 'string' },
    prompt: { type: 'string', 'x-ui': { widget: 'long_text' } },
    size: { type: 'integer', title: 'Size' },
    style: { type: 'string', enum: ['pop_art'] },
    count: { type: 'integer', title: 'Count' },
    seed: { type: 'integer', title: 'Seed', 'x-ui': { advanced: true } },
  } as Record<string, Schema>
  const drawing = {
    ...(SAMPLE.type('palette') as NodeType),
    settings: { type: 'object', properties } as Schema,
  }
  const shown = (settings: Record<string, unknown>) =>
    describeSettings(sampleNode('a', 'palette', { settings }), drawing)
  expect(shown({ place: 'sea', prompt: 'A cup.' })).toBe('A cup.')
  expect(shown({ place: 'sea', prompt: ' ' })).toBe('Sea')
  expect(shown({ place: 'none', size: 3, style: 'pop_art', count: 2, seed: 1 })).toBe(
    'Size 3, Pop art, count 2',
  )
  expect(shown({ place: 'sea', size: 3, style: 'pop_art', count: 2 })).toBe('Sea, size 3, Pop art')
  expect(shown({ seed: 1 })).toBe(drawing.summary)
  expect(shown({ prompt: 'x'.repeat(140) })).toBe('x'.repeat(140))
  expect(shown({ prompt: 'x'.repeat(141) })).toBe(`${'x'.repeat(138)}…`)
})

test('a card has the settings that the author put on it', () => {
  const properties = { size: { type: 'integer', 'x-ui': { main: true } }, style: { type: 'string' } }
  const drawing = { ...type, settings: { type: 'object', properties } } as NodeType
  expect(mainFields(drawing).map(({ name }) => name)).toEqual(['size'])
})

test('the model of a node is its last setting with options of the server that is not advanced', () => {
  const options = { type: 'string', 'x-ui': { options: true } } as Schema
  const [style, seed] = [{ type: 'string' }, { type: 'string', 'x-ui': { options: true, advanced: true } }]
  const fields = membersOf({ properties: { provider: options, model: options, style, seed } })
  expect(modelFieldOf(fields)?.name).toBe('model')
  expect(modelFieldOf(membersOf({ properties: { style, seed } }))).toBeUndefined()
})

test('a field stands in the group that its author named, and in none otherwise', () => {
  const [size, style] = membersOf({
    properties: { size: { type: 'integer', 'x-ui': { group: 'Layout' } }, style: { type: 'string' } },
  })
  expect([size?.group, style?.group]).toEqual(['Layout', null])
})

test('the title of an object is its class name, unless its author described its field', () => {
  const [plain, described] = membersOf({
    properties: {
      brand: { type: 'object', title: 'BrandSystem' },
      look: { type: 'object', title: 'Look and feel', 'x-ui': { advanced: true } },
    },
  })
  expect([plain?.title, described?.title]).toEqual(['Brand', 'Look and feel'])
})

describe('a setting that depends on another one', () => {
  const settings = {
    type: 'object',
    properties: {
      preset: { type: 'string', default: 'none' },
      fields: { type: 'object', 'x-ui': { shown_if: { preset: 'custom' } } },
    },
  } as Schema
  const type = { ...(SAMPLE.type('palette') as NodeType), settings }
  const [, fields] = membersOf(settings) as [SettingField, SettingField]
  const shown = (change: Partial<FlowNode>, driven: readonly string[] = []) =>
    isShown(fields, sampleNode('ask', 'palette', change), type, new Set(driven))

  test('is shown while that has the value', () => {
    expect(shown({ settings: {} })).toBe(false)
    expect(shown({ settings: { fields: {} } })).toBe(false)
    expect(shown({ settings: { preset: 'custom' } })).toBe(true)
  })

  test('is shown if either gets its value from elsewhere', () => {
    for (const name of ['preset', 'fields']) {
      expect(shown({}, [name])).toBe(true)
      expect(shown({ exposed: { [name]: {} } })).toBe(true)
      expect(shown({ variables: { [name]: 'v' } })).toBe(true)
    }
  })
})

describe('the settings that launchers may be offered', () => {
  const type: NodeType = {
    ...(SAMPLE.type('language_model') as NodeType),
    input: 'text',
    variables: ['system_prompt'],
    settings: {
      properties: {
        text: { type: 'string' },
        system_prompt: { type: 'string' },
        model: { type: 'string' },
        seed: { type: 'integer' },
        size: { type: 'integer', 'x-ui': { shown_if: { model: 'large' } } },
      },
    },
  }
  const names = (more: Partial<FlowNode> = {}, driven: string[] = [], of = type) =>
    exposableFields(sampleNode('write', 'language_model', more), of, new Set(driven)).map(({ name }) => name)

  it('are not the input, no text with variables, and none of a node that runs an agent', () => {
    expect(['text', 'system_prompt', 'model'].map((name) => canExpose(type, name))).toEqual([
      false,
      false,
      true,
    ])
    expect(canExpose({ ...type, subflow: 'flow' }, 'model')).toBe(false)
  })

  it('are shown and have their value from nowhere else', () => {
    expect(names()).toEqual(['model', 'seed'])
    expect(names({ settings: { model: 'large' } })).toEqual(['model', 'seed', 'size'])
    expect(names({}, ['seed'])).toEqual(['model'])
    expect(names({ exposed: { seed: {} } })).toEqual(['model'])
    expect(names({ variables: { seed: 'count' } })).toEqual(['model'])
    expect(names({}, [], { ...type, subflow: 'flow' })).toEqual([])
  })
})

it.each<[unknown, string]>([
  [['a', 'b'], 'a, b'],
  [['a'], 'a'],
  [[], ''],
  [[null, 1], ', 1'],
  [['a', { name: 'b' }], 'a'],
  [[{ name: 'Sale' }, { name: 'New' }], 'Sale, New'],
  [[{ name: 'Sale' }, {}], '2 items'],
  [[{ name: 7 }], '1 item'],
  [{ name: 'a' }, ''],
  [null, ''],
])('shows the setting %j in short as %j', (value, words) => {
  const [field] = membersOf({ properties: { list: { type: 'array', title: 'List' } } })
  expect(field && formatSettingValue(field, value)).toBe(words)
})

it.each<[unknown, string]>([
  [{ name: 'Fjell', tone: 'calm' }, 'Fjell'],
  [{ name: '', tone: 'calm' }, 'Tone: calm'],
  [{ $type: 'Image', asset_id: 'a' }, 'Image'],
  [{ asset_id: 'a' }, 'Asset id: a'],
  [{ tone: '', mood: null, size: 4 }, 'Size: 4'],
  [[1, 2], '1, 2'],
  [[{ tone: 'calm' }, { tone: 'loud' }], 'Tone: calm\nTone: loud'],
])('shows the value %j as %j', (value, words) => {
  expect(formatValue(undefined, value)).toBe(words)
})
