/** Builds the inputs of a launch from the form, the text of the prompt bar and its assets. */

import type { Schema } from '@/graph/catalog'
import { type MediaValue, mediaIn } from '@/lib/run/media-values'
import { completeData, isDataForm, openFields } from './data-inputs'
import { type Field, imageFields, mediaFields, promptField } from './fields'

export type Inputs = Record<string, unknown>

/** A media value of a run's inputs: the type tag and the asset id. */
export type MediaReference = Pick<MediaValue, '$type' | 'asset_id'>

export function mediaReference(valueType: MediaValue['$type'], assetId: string): MediaReference {
  return { $type: valueType, asset_id: assetId }
}

/** The ids of all assets anywhere inside a value. */
export function assetIdsIn(value: unknown): string[] {
  return mediaIn(value).map((media) => media.asset_id)
}

/** The initial form values: those of the last launch over the agent's defaults. */
export function startingValues(fields: readonly Field[], remembered: Inputs): Inputs {
  return Object.fromEntries(fields.map((field) => [field.id, remembered[field.id] ?? field.initial]))
}

export interface Placed {
  inputs: Inputs
  /** The assets that no field accepts. */
  unused: string[]
}

/** The value type of each asset by id; unknown ones are images. */
export type TypeOf = (assetId: string) => MediaValue['$type']
const ALL_IMAGES: TypeOf = () => 'Image'

/** Assigns the assets of the bar to the empty fields of their type, in order; a list takes up to its maximum. */
export function placeMedia(
  fields: readonly Field[],
  values: Inputs,
  assetIds: readonly string[],
  typeOf: TypeOf = ALL_IMAGES,
): Placed {
  let unused = [...assetIds]
  const inputs: Inputs = { ...values }
  for (const field of mediaFields(fields)) {
    if (!isEmpty(inputs[field.id])) continue
    const taken = unused.filter((id) => typeOf(id) === field.valueType).slice(0, capacityOf(field))
    if (taken.length === 0) continue
    unused = unused.filter((id) => !taken.includes(id))
    const references = taken.map((id) => mediaReference(typeOf(id), id))
    inputs[field.id] = field.list ? references : references[0]
  }
  return { inputs, unused }
}

function capacityOf(field: Field): number {
  return field.list ? (field.schema.maxItems ?? Number.POSITIVE_INFINITY) : 1
}

/** How many images the agent accepts: 0, a number, or Infinity. */
export function imageCapacity(fields: readonly Field[]): number {
  return imageFields(fields).reduce((room, field) => room + capacityOf(field), 0)
}

export interface Draft {
  values: Inputs
  prompt: string
  images: readonly string[]
}

/**
 * The inputs of a launch; empty fields, and exposed settings with the agent's own value, are left out, so that the
 * agent's defaults apply.
 */
export function launchInputs(fields: readonly Field[], draft: Draft, typeOf?: TypeOf): Inputs {
  const { inputs } = placeMedia(fields, draft.values, draft.images, typeOf)
  const prompt = promptField(fields)
  if (prompt && draft.prompt.trim()) inputs[prompt.id] = draft.prompt.trim()
  for (const field of fields.filter(isDataForm))
    inputs[field.id] = completeData(field.schema as Schema, inputs[field.id])
  const known = new Map(fields.map((field) => [field.id, field]))
  return Object.fromEntries(
    Object.entries(inputs).filter(([id, value]) => {
      const field = known.get(id)
      return field && !isEmpty(value) && !isOwnValue(field, value)
    }),
  )
}

/** Whether an exposed setting has the value that the agent's builder set. */
export function isOwnValue({ exposed, initial }: Field, value: unknown): boolean {
  return exposed !== null && JSON.stringify(value ?? null) === JSON.stringify(initial)
}

/** The required fields without a value, and data with such fields. */
export function missingFields(fields: readonly Field[], inputs: Inputs): Field[] {
  return fields.filter((field) => missingTitles(field, inputs[field.id]).length > 0)
}

/** What of a field needs a value: its title, or those of the nested fields of data. */
export function missingTitles(field: Field, value: unknown): string[] {
  if (isDataForm(field)) return openFields(field.schema as Schema, value)
  return field.required && isEmpty(value) ? [field.title] : []
}

/** Splits the inputs of a past run into those of the prompt bar and those of the form. */
export function draftOf(fields: readonly Field[], inputs: Inputs): Draft {
  const values = startingValues(fields, inputs)
  const prompt = promptField(fields)
  const text = prompt ? values[prompt.id] : ''
  const images = imageFields(fields).flatMap((field) => assetIdsIn(values[field.id]))
  for (const field of imageFields(fields)) values[field.id] = null
  if (prompt) values[prompt.id] = prompt.initial
  return { values, prompt: typeof text === 'string' ? text : '', images }
}

export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value === 'string') return value.trim() === ''
  return Array.isArray(value) && value.length === 0
}
