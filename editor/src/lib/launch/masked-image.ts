/** Masks among the inputs of a launch, and the images that they are painted on. */

import { parseEnd } from '@/graph/document'
import type { MaskValue } from '@/lib/run/media-values'
import type { Field } from './fields'
import { assetIdsIn, type Inputs } from './inputs'

/** The edges of an agent's document, which launchers of another user's agent may not know. */
type Edges = readonly { readonly from: string; readonly to: string }[]

export function isMaskField(field: Field): boolean {
  return field.valueType === 'Mask' && !field.list
}

export function edgesOf(document: unknown): Edges | null {
  const edges = (document as { edges?: unknown } | null | undefined)?.edges
  if (!Array.isArray(edges)) return null
  return edges.filter(({ from, to }) => typeof from === 'string' && typeof to === 'string')
}

/**
 * The asset id of the image of a launch on which the mask of a field is painted: the one that the same node takes. Null
 * while none is given; undefined for a field that is no mask, and if the node makes the mask's image only in the run.
 */
export function maskedImage(
  field: Field,
  fields: readonly Field[],
  values: Inputs,
  edges: Edges | null,
): string | null | undefined {
  if (!isMaskField(field)) return undefined
  const images = fields.filter(
    ({ kind, valueType, list }) => kind === 'media' && valueType === 'Image' && !list,
  )
  const source = edges ? fedWith(field, images, edges) : images.length === 1 ? images[0] : undefined
  return source ? (assetIdsIn(values[source.id])[0] ?? null) : undefined
}

function fedWith(field: Field, images: readonly Field[], edges: Edges): Field | undefined {
  const own = field.exposed && parseEnd(field.id).node
  const ends = edges.map(({ from, to }) => ({ from: parseEnd(from).node, to: parseEnd(to).node }))
  const takers = own ? [own] : ends.filter(({ from }) => from === field.id).map(({ to }) => to)
  return images.find(({ id }) => ends.some(({ from, to }) => from === id && takers.includes(to)))
}

/** The values with a mask in the first field for one. */
export function withMask(fields: readonly Field[], values: Inputs, maskId: string): Inputs {
  const field = fields.find(isMaskField)
  const image = { $type: 'Image' as const, asset_id: maskId }
  return field ? { ...values, [field.id]: { $type: 'Mask', image } satisfies MaskValue } : values
}
