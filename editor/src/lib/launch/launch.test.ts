// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { fieldsOf, type InputsSchema, imageFields, promptField } from './fields'
import {
  assetIdsIn,
  draftOf,
  imageCapacity,
  launchInputs,
  missingFields,
  placeMedia,
  startingValues,
} from './inputs'
import { readLastInputs, saveLastInputs } from './saved-launch'

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
  it('reads a kind, a title and a default from each schema, in order', () => {
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

  it('takes what has fields of its own for a form, and data that is not described for data', () => {
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
    expect(kinds).toEqual(['form', 'form', 'form', 'form', 'list', 'json', 'json'])
  })

  it("gives the prompt bar's text to the user prompt, not to a choice", () => {
    expect(promptField(fields)?.id).toBe('brief')
    expect(promptField(fieldsOf({ properties: { a: { type: 'number', 'x-type': 'Number' } } }))).toBeNull()
  })

  it('falls back on the first text when there is no user prompt', () => {
    const plain = fieldsOf({ properties: { note: { type: 'string', 'x-type': 'Text' } } })
    expect(promptField(plain)?.id).toBe('note')
  })

  it('offers what the node’s own settings allow', () => {
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

  it('has no fields without a schema', () => {
    expect(fieldsOf(null)).toEqual([])
    expect(fieldsOf({})).toEqual([])
  })
})

describe('images of the prompt bar', () => {
  it('fill the places in order, a list taking as many as it may', () => {
    const { inputs, unused } = placeMedia(fields, startingValues(fields, {}), ['a', 'b', 'c', 'd'])
    expect(inputs.can).toEqual({ $type: 'Image', asset_id: 'a' })
    expect(assetIdsIn(inputs.mood)).toEqual(['b', 'c'])
    expect(unused).toEqual(['d'])
    expect(imageCapacity(fields)).toBe(3)
  })

  it('stand among what else the library has sent, each at a place of its own type', () => {
    const film = fieldsOf({
      properties: {
        clip: { 'x-type': 'Video', 'x-node': 'video' },
        can: { 'x-type': 'Image', 'x-node': 'picture' },
        voices: { type: 'array', 'x-type': 'list[Audio]', 'x-node': 'sound' },
      },
    })
    const types = { a: 'Image', b: 'Audio', c: 'Video', d: 'Audio', e: 'File' } as const
    const { inputs, unused } = placeMedia(film, {}, Object.keys(types), (id) => types[id as 'a'])
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

  it('leave alone what the form already holds', () => {
    const chosen = { $type: 'Image', asset_id: 'chosen' }
    const { inputs } = placeMedia(fields, { can: chosen }, ['a'])
    expect(inputs.can).toBe(chosen)
    expect(assetIdsIn(inputs.mood)).toEqual(['a'])
  })
})

describe('what a launch sends', () => {
  it('is the form with the prompt and the images in it, and nothing empty', () => {
    const draft = { values: startingValues(fields, {}), prompt: ' Cold brew ', images: ['a'] }
    expect(launchInputs(fields, draft)).toEqual({
      brief: 'Cold brew',
      can: { $type: 'Image', asset_id: 'a' },
      frames: 4,
    })
  })

  it('names the required fields that nothing fills', () => {
    const draft = { values: startingValues(fields, {}), prompt: '', images: [] }
    const missing = missingFields(fields, launchInputs(fields, draft))
    expect(missing.map((field) => field.id)).toEqual(['brief', 'can'])
  })

  it('drops a value that the agent no longer asks for', () => {
    const draft = { values: { gone: 'x' }, prompt: 'p', images: [] }
    expect(launchInputs(fields, draft)).toEqual({ brief: 'p' })
  })

  it('comes apart again for a relaunch, to the same inputs', () => {
    const sent = launchInputs(fields, {
      values: startingValues(fields, { frames: 7 }),
      prompt: 'Again',
      images: ['a', 'b'],
    })
    const draft = draftOf(fields, sent)
    expect(draft).toMatchObject({ prompt: 'Again', images: ['a', 'b'] })
    expect(launchInputs(fields, draft)).toEqual(sent)
  })
})

describe('what the last launch used', () => {
  beforeEach(() => localStorage.clear())

  it('comes back for its agent alone, without the prompt and the images', () => {
    saveLastInputs('kit', fields, { brief: 'x', can: { asset_id: 'a' }, frames: 9, headline: 'Quiet' })
    expect(readLastInputs('kit')).toEqual({ frames: 9, headline: 'Quiet' })
    expect(readLastInputs('other')).toEqual({})
    expect(startingValues(fields, readLastInputs('kit'))).toMatchObject({ frames: 9, brief: '' })
  })

  it('survives a spoilt store', () => {
    localStorage.setItem('impasto.launch', '{not json')
    expect(readLastInputs('kit')).toEqual({})
    saveLastInputs('kit', fields, { frames: 2 })
    expect(readLastInputs('kit')).toEqual({ frames: 2 })
  })

  it('keeps the fifty agents used last', () => {
    for (let index = 0; index < 60; index += 1) saveLastInputs(`f${index}`, fields, { frames: index })
    expect(readLastInputs('f5')).toEqual({})
    expect(readLastInputs('f59')).toEqual({ frames: 59 })
  })
})

it('finds picture fields only among media', () => {
  expect(imageFields(fields).map((field) => field.id)).toEqual(['can', 'mood'])
})
