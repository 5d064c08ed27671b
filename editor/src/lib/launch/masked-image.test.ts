// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { acceptedValues } from './customization'
import { fieldsOf } from './fields'
import { edgesOf, isMaskField, maskedImage, withMask } from './masked-image'

const image = (title: string) => ({ title, 'x-node': 'picture', 'x-type': 'Image' })
const FIELDS = fieldsOf({
  properties: {
    other: image('Other'),
    product: image('Product'),
    area: { title: 'Area', 'x-node': 'mask', 'x-type': 'Mask', 'x-ui': { widget: 'mask' } },
    'edit.mask': {
      title: 'Mask',
      'x-node': 'image_edit',
      'x-type': 'Mask',
      'x-setting': 'mask',
      'x-group': 'Edit',
    },
  },
  required: [],
})
const EDGES = edgesOf({
  edges: [
    { from: 'product.output', to: 'edit.picture' },
    { from: 'area.output', to: 'edit.mask' },
  ],
})
const given = { product: { $type: 'Image', asset_id: 'p1' }, other: { $type: 'Image', asset_id: 'o1' } }
const of = (id: string, values = {}, edges = EDGES, fields = FIELDS) => {
  const field = fields.find((one) => one.id === id)
  if (!field) throw new Error(`${id} is no field of the form`)
  return maskedImage(field, fields, values, edges)
}

it('paints a mask on the image that the node of the mask takes', () => {
  expect(of('area', given)).toBe('p1')
  expect(of('edit.mask', given)).toBe('p1')
  expect(of('area', { other: given.other })).toBeNull()
  expect(of('product', given)).toBeUndefined()
})

it('knows no image if the run makes it, and without the document only a single one', () => {
  expect(of('area', given, edgesOf({ edges: [{ from: 'area.output', to: 'edit.mask' }] }))).toBeUndefined()
  expect(of('area', given, null)).toBeUndefined()
  const single = FIELDS.filter(({ id }) => id !== 'other')
  expect(of('area', given, null, single)).toBe('p1')
  expect(edgesOf(undefined)).toBeNull()
})

it('puts a painted mask into the field for it, and keeps no mask for the next launch', () => {
  const filled = withMask(FIELDS, {}, 'm1')
  expect(filled).toEqual({ area: { $type: 'Mask', image: { $type: 'Image', asset_id: 'm1' } } })
  expect(acceptedValues(FIELDS, filled)).toEqual({})
  expect(withMask([], {}, 'm1')).toEqual({})
})

it('reads the edges that have two ends, of a document that has edges', () => {
  const edge = { from: 'a.output', to: 'b.input' }
  expect(edgesOf({ edges: [edge, { from: 'a.output' }, { to: 'b.input' }, { from: 1, to: 2 }] })).toEqual([
    edge,
  ])
  expect([edgesOf(null), edgesOf(undefined), edgesOf({}), edgesOf({ edges: 'a' })]).toEqual([
    null,
    null,
    null,
    null,
  ])
})

it('recognizes a field for one mask, not for several masks or an image', () => {
  const fields = fieldsOf({
    properties: {
      one: { 'x-type': 'Mask' },
      several: { type: 'array', 'x-type': 'list[Mask]' },
      picture: image('Picture'),
    },
  })
  expect(fields.map(isMaskField)).toEqual([true, false, false])
  expect(withMask(fields.slice(1), { a: 1 }, 'm1')).toEqual({ a: 1 })
})

it('paints on a single image, not on several or on other files', () => {
  const fields = (...types: string[]) =>
    fieldsOf({
      properties: {
        area: { 'x-type': 'Mask' },
        ...Object.fromEntries(types.map((type, at) => [`f${at}`, { title: type, 'x-type': type }])),
      },
    })
  const on = (...types: string[]) =>
    of(
      'area',
      { f0: { $type: 'Image', asset_id: 'a0' }, f1: { $type: 'Image', asset_id: 'a1' } },
      null,
      fields(...types),
    )
  expect(on('Image')).toBe('a0')
  expect(on('Image', 'Video')).toBe('a0')
  expect(on('list[Image]', 'Image')).toBe('a1')
  expect(on('Image', 'Image')).toBeUndefined()
  expect(on('Video')).toBeUndefined()
})

it('paints only on an image that the node of the mask itself takes', () => {
  const edges = edgesOf({
    edges: [
      { from: 'product.output', to: 'other.picture' },
      { from: 'area.output', to: 'edit.mask' },
      { from: 'words.output', to: 'edit.prompt' },
    ],
  })
  expect(of('area', given, edges)).toBeUndefined()
  expect(of('edit.mask', given, edges)).toBeUndefined()
})
