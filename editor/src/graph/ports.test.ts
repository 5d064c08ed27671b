import { describe, expect, it } from 'vitest'
import { typeOfSchema } from './ports'

const asset = { asset_id: { type: 'string' }, media_type: { default: 'video/mp4' } }

describe('typeOfSchema', () => {
  it.each([
    [{ type: 'object', 'x-type': 'Verse' }, 'Verse', 0],
    [{ type: 'array', 'x-type': 'list[list[Text]]' }, 'Text', 2],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'Text', 0],
    [{ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, 'Integer', 2],
    [{ type: 'object', title: 'Trailer', properties: asset }, 'Video', 0],
    [{ type: 'object', title: 'Image' }, 'Image', 0],
    [{ type: 'array' }, 'Json', 0],
    [{ type: 'boolean' }, 'Boolean', 0],
    [{ type: ['number', 'null'] }, 'Number', 0],
    [{ type: ['number', 'string'] }, 'Any', 0],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }, 'Any', 0],
    [{ enum: ['a', 'b'] }, 'Text', 0],
    [{ enum: ['a'] }, 'Text', 0],
    [{ enum: [1, 2] }, 'Number', 0],
    [{ enum: [1] }, 'Number', 0],
    [{ enum: [1, 'b'] }, 'Any', 0],
    [{ enum: [] }, 'Any', 0],
    [{}, 'Any', 0],
  ])('reads the type of an edge into %j: %s, list depth %i', (schema, type, depth) => {
    expect(typeOfSchema(schema)).toEqual({ type, list: depth > 0, depth })
  })
})
