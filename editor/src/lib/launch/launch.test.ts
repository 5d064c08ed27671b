import { describe, expect, it } from 'vitest'
import { fieldsOf, type InputsSchema, imageFields, promptField } from './fields'
import {
  assetIdsIn,
  draftOf,
  imageCapacity,
  isEmpty,
  launchInputs,
  missingFields,
  placeMedia,
  startingValues,
} from './inputs'

const KIT: InputsSchema = {
  type: 'object',
  properties: {
    headline: {
      type: 'string',
      title: 'Headline',
      'x-type': 'Text',
      'x-node': 'choice',
      enum: ['Bold', 'Quiet'],
    },
    brief: {
      type: 'string',
      title: 'Brief',
      default: '',
      'x-type': 'Text',
      'x-node': 'user_prompt',
      'x-ui': { widget: 'long_text' },
    },
    can: {
      anyOf: [{ type: 'object' }, { type: 'null' }],
      default: null,
      'x-type': 'Image',
      'x-node': 'picture',
    },
    mood: { type: 'array', maxItems: 2, 'x-type': 'list[Image]', 'x-node': 'picture' },
    frames: { type: 'integer', default: 4, minimum: 1, maximum: 12, 'x-type': 'Integer', 'x-node': 'number' },
    brand: { anyOf: [{ type: 'object' }, { type: 'null' }], 'x-type': 'Brand', 'x-node': 'brand_system' },
  },
  required: ['brief', 'can'],
}

const fields = fieldsOf(KIT)

describe("the fields of an agent's form", () => {
  it('have a kind, a title and a default from their schema, in order', () => {
    expect(fields.map((field) => [field.id, field.kind])).toEqual([
      ['headline', 'choice'],
      ['brief', 'long_text'],
      ['can', 'media'],
      ['mood', 'media'],
      ['frames', 'number'],
      ['brand', 'brand'],
    ])
    expect(fields[4]).toMatchObject({ title: 'frames', initial: 4, required: false })
    expect(fields[2]).toMatchObject({ required: true, list: false })
    expect(fields[3]).toMatchObject({ list: true, valueType: 'Image' })
  })

  it('are forms for structured values, and JSON if the author requests it', () => {
    const stop = { type: 'object', properties: { name: { type: 'string' } } }
    const properties = {
      stop: { anyOf: [stop, { type: 'null' }] },
      stops: { type: 'array', items: stop },
      moods: { type: 'array', items: { enum: ['calm', 'loud'] } },
      palette: { type: 'array', items: { type: 'string' }, 'x-ui': { widget: 'colour' } },
      lines: { type: 'array', items: { type: 'string' } },
      raw: { ...stop, 'x-ui': { widget: 'json' } },
      any: { type: 'object' },
    }
    const kinds = fieldsOf({ properties }).map((field) => field.kind)
    expect(kinds).toEqual(['form', 'form', 'form', 'form', 'list', 'json', 'form'])
  })

  it('assign the text of the prompt bar to the user prompt, not to a choice', () => {
    expect(promptField(fields)?.id).toBe('brief')
    expect(promptField(fieldsOf({ properties: { a: { type: 'number', 'x-type': 'Number' } } }))).toBeNull()
  })

  it('fall back to the first text without a user prompt', () => {
    const plain = fieldsOf({ properties: { note: { type: 'string', 'x-type': 'Text' } } })
    expect(promptField(plain)?.id).toBe('note')
  })

  it('offer the choices of the node’s own settings', () => {
    const [channel, count] = fieldsOf({
      properties: {
        channel: { type: 'string', 'x-node': 'choice', 'x-settings': { options: ['Post', 'Newsletter'] } },
        count: {
          type: 'number',
          'x-node': 'number',
          'x-type': 'Number',
          'x-settings': { lowest: 1, highest: 8 },
        },
      },
    })
    expect(channel).toMatchObject({ kind: 'choice', schema: { enum: ['Post', 'Newsletter'] } })
    expect(count).toMatchObject({ kind: 'number', schema: { minimum: 1, maximum: 8 } })
  })

  it('are empty without a schema', () => {
    expect(fieldsOf(null)).toEqual([])
    expect(fieldsOf({})).toEqual([])
  })
})

describe('settings that the builder offers', () => {
  const offered = fieldsOf({
    properties: {
      'hero.leave_out': {
        type: 'string',
        default: '',
        'x-type': 'Text',
        'x-node': 'image_generation',
        'x-group': 'Hero',
        'x-setting': 'leave_out',
      },
      'hero.n_images': {
        type: 'integer',
        default: 3,
        'x-type': 'Integer',
        'x-node': 'image_generation',
        'x-group': 'Hero',
        'x-makes': 'list[Image]',
        'x-setting': 'n_images',
      },
    },
  })

  it('are no prompt, and belong to their node', () => {
    expect(promptField(offered)).toBeNull()
    expect(offered[1]?.exposed).toEqual({
      group: 'Hero',
      type: 'image_generation',
      setting: 'n_images',
      makes: 'Image',
    })
  })

  it('are sent only when they differ from the agent’s own value', () => {
    const sent = (count: number) =>
      launchInputs(offered, { values: { 'hero.n_images': count }, prompt: '', images: [] })
    expect(sent(3)).toEqual({})
    expect(sent(5)).toEqual({ 'hero.n_images': 5 })
  })
})

describe('images of the prompt bar', () => {
  it('fill the fields in order; a list takes up to its maximum', () => {
    const { inputs, unused } = placeMedia(fields, startingValues(fields, {}), ['a', 'b', 'c', 'd'])
    expect(inputs.can).toEqual({ $type: 'Image', asset_id: 'a' })
    expect(assetIdsIn(inputs.mood)).toEqual(['b', 'c'])
    expect(unused).toEqual(['d'])
    expect(imageCapacity(fields)).toBe(3)
  })

  it('are assigned by type, together with other assets from the library', () => {
    const fields = fieldsOf({
      properties: {
        clip: { 'x-type': 'Video', 'x-node': 'video' },
        can: { 'x-type': 'Image', 'x-node': 'picture' },
        voices: { type: 'array', 'x-type': 'list[Audio]', 'x-node': 'audio_input' },
      },
    })
    const types = { a: 'Image', b: 'Audio', c: 'Video', d: 'Audio', e: 'File' } as const
    const { inputs, unused } = placeMedia(fields, {}, Object.keys(types), (id) => types[id as 'a'])
    expect(inputs).toEqual({
      clip: { $type: 'Video', asset_id: 'c' },
      can: { $type: 'Image', asset_id: 'a' },
      voices: [
        { $type: 'Audio', asset_id: 'b' },
        { $type: 'Audio', asset_id: 'd' },
      ],
    })
    expect(unused).toEqual(['e'])
  })

  it('do not replace values of the form', () => {
    const chosen = { $type: 'Image', asset_id: 'chosen' }
    const { inputs } = placeMedia(fields, { can: chosen }, ['a'])
    expect(inputs.can).toBe(chosen)
    expect(assetIdsIn(inputs.mood)).toEqual(['a'])
  })
})

describe('the inputs of a launch', () => {
  it('contain the form, the prompt and the images, and nothing empty', () => {
    const draft = { values: startingValues(fields, {}), prompt: ' Cold brew ', images: ['a'] }
    expect(launchInputs(fields, draft)).toEqual({
      brief: 'Cold brew',
      can: { $type: 'Image', asset_id: 'a' },
      frames: 4,
    })
  })

  it('need a value for every required field', () => {
    const draft = { values: startingValues(fields, {}), prompt: '', images: [] }
    const missing = missingFields(fields, launchInputs(fields, draft))
    expect(missing.map((field) => field.id)).toEqual(['brief', 'can'])
  })

  it('leave out values that the agent no longer accepts', () => {
    const draft = { values: { gone: 'x' }, prompt: 'p', images: [] }
    expect(launchInputs(fields, draft)).toEqual({ brief: 'p' })
  })

  it('are split for a relaunch and rebuilt to the same inputs', () => {
    const sent = launchInputs(fields, {
      values: startingValues(fields, { frames: 7 }),
      prompt: 'Again',
      images: ['a', 'b'],
    })
    const draft = draftOf(fields, sent)
    expect(draft).toMatchObject({ prompt: 'Again', images: ['a', 'b'] })
    expect(launchInputs(fields, draft)).toEqual(sent)
  })

  it('are split with the prompt and the images out of the form', () => {
    const image = { $type: 'Image', asset_id: 'a' }
    const { values } = draftOf(fields, { brief: 'Again', can: image, frames: 7 })
    expect(values).toMatchObject({ brief: '', can: null, frames: 7 })
  })

  it('are split for an agent without a prompt', () => {
    const numbers = fieldsOf({ properties: { frames: { type: 'integer', 'x-type': 'Integer' } } })
    expect(draftOf(numbers, { frames: 7 })).toEqual({ values: { frames: 7 }, prompt: '', images: [] })
  })
})

it('imageFields returns the fields that accept images', () => {
  expect(imageFields(fields).map((field) => field.id)).toEqual(['can', 'mood'])
})

it.each([
  [null, true],
  [undefined, true],
  ['', true],
  [' \n', true],
  ['a', false],
  [[], true],
  [[''], false],
  [0, false],
  [false, false],
  [{}, false],
])('the value %j of a field is empty: %s', (value, expected) => {
  expect(isEmpty(value)).toBe(expected)
})

it('leaves out the text of the prompt bar where the agent has no field for it', () => {
  expect(launchInputs([], { values: {}, prompt: 'A jug', images: [] })).toEqual({})
})
