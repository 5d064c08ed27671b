/** The input form of an agent, read from `plan.inputs` (JSON Schema with hints). */

import { isFormShape } from '@/graph/data-shape'
import { INPUT_LIMITS } from '../input-limits'

export type FieldKind =
  | 'text'
  | 'long_text'
  | 'media'
  | 'number'
  | 'switch'
  | 'choice'
  | 'colour'
  | 'brand'
  | 'table'
  | 'form'
  | 'list'
  | 'json'

export interface FieldSchema {
  type?: string | string[]
  title?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  anyOf?: FieldSchema[]
  items?: FieldSchema
  properties?: Record<string, FieldSchema>
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  multipleOf?: number
  'x-node'?: string
  'x-type'?: string
  /** The other settings of the input node, which restrict the value. */
  'x-settings'?: Record<string, unknown>
  'x-ui'?: {
    widget?: string | null
    step?: number | null
    unit?: string | null
    placeholder?: string | null
    advanced?: boolean
    choices?: unknown[] | null
    [hint: string]: unknown
  }
  [key: string]: unknown
}

export interface InputsSchema {
  properties?: Record<string, FieldSchema>
  required?: string[]
  [key: string]: unknown
}

export interface Field {
  /** The id of the input node: the key of its value in a launch. */
  id: string
  title: string
  help: string
  kind: FieldKind
  /** The value type of an item: `Image`, `Text`, … */
  valueType: string
  list: boolean
  required: boolean
  initial: unknown
  schema: FieldSchema
  /** Set for a setting of a node that the builder offers to launchers. */
  exposed: ExposedField | null
}

export interface ExposedField {
  /** The title of the node: the fields of one stand together. */
  group: string
  /** The id of the node's type and the name of its setting. */
  type: string
  setting: string
  /** The value type that the node makes. */
  makes: string
}

const MEDIA = new Set(['Image', 'Video', 'Audio', 'File'])

const WIDGETS: Record<string, FieldKind> = {
  text: 'text',
  long_text: 'long_text',
  variables: 'long_text',
  slider: 'number',
  number: 'number',
  switch: 'switch',
  select: 'choice',
  segmented: 'choice',
  colour: 'colour',
  list: 'list',
  table: 'table',
  schema: 'form',
  key_value: 'form',
  json: 'json',
}

/** Schemas of optional settings are `anyOf: [X, null]`; the form uses X. */
export function withoutNull(schema: FieldSchema): FieldSchema {
  const options = schema.anyOf?.filter((option) => option.type !== 'null')
  if (options?.length !== 1) return schema
  const { anyOf: _, ...rest } = schema
  // The description of a type says nothing about this field.
  return { ...options[0], description: undefined, ...rest }
}

export function typeOf(schema: FieldSchema): string {
  const { type } = schema
  if (Array.isArray(type)) return type.find((name) => name !== 'null') ?? 'string'
  return type ?? ''
}

function splitType(name: string): { valueType: string; list: boolean } {
  const inner = /^list\[(.+)\]$/.exec(name)?.[1]
  return inner ? { valueType: inner, list: true } : { valueType: name, list: false }
}

function kindOf(schema: FieldSchema, valueType: string): FieldKind {
  const type = typeOf(schema)
  const widget = schema['x-ui']?.widget ?? ''
  if (MEDIA.has(valueType)) return 'media'
  if (valueType === 'Brand') return 'brand'
  if (valueType === 'Mask') return 'form'
  if (schema['x-node'] === 'table') return 'table'
  if (hasForm(schema)) return 'form'
  if (optionsOf(schema).length > 0) return 'choice'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'switch'
  const named = WIDGETS[widget]
  if (named && named !== 'choice') return named
  if (type === 'array') return 'list'
  if (type === 'object') return 'form'
  return 'text'
}

/** Whether it has nested fields, or is a list of anything but text and numbers. */
function hasForm(schema: FieldSchema): boolean {
  const widget = schema['x-ui']?.widget
  if (widget === 'json' || widget === 'table') return false
  if (typeOf(schema) === 'object') return Object.keys(schema.properties ?? {}).length > 0
  if (typeOf(schema) !== 'array') return false
  const items = withoutNull(schema.items ?? {})
  return widget === 'colour' || optionsOf(items).length > 0 || typeOf(items) === 'boolean' || hasForm(items)
}

/** The values of a choice; empty for other fields. */
export function optionsOf(schema: FieldSchema): string[] {
  const offered = schema.enum ?? schema['x-ui']?.choices ?? schema['x-choices']
  return Array.isArray(offered) ? offered.filter((value) => value !== null).map(String) : []
}

/** Whether a stored value is within the limits of its field. */
export function isAllowed({ kind, schema }: Field, value: unknown): boolean {
  const choices = optionsOf(schema)
  if (kind === 'choice' && choices.length > 0) return choices.includes(String(value))
  if (kind === 'switch') return typeof value === 'boolean'
  if (kind !== 'number') return true
  const { minimum = -Infinity, maximum = Infinity } = schema
  return typeof value === 'number' && value >= minimum && value <= maximum
}

/** Applies the other settings of an input node: the options of a choice, the bounds of a number, the fields of data. */
function narrowed(schema: FieldSchema): FieldSchema {
  const settings = schema['x-settings'] ?? {}
  const { schema: shape } = settings
  const options = settings[INPUT_LIMITS.choices]
  const lowest = settings[INPUT_LIMITS.minimum]
  const highest = settings[INPUT_LIMITS.maximum]
  if (schema['x-node'] === 'data' && isFormShape(shape)) {
    const { title: _, description = '', ...fields } = shape as FieldSchema
    return { ...schema, ...fields, description, default: schema.default ?? undefined, 'x-ui': undefined }
  }
  return {
    ...schema,
    // The placeholder for an empty option is meant for the author of the agent.
    ...(Array.isArray(options) && options.length > 0 && { enum: options, description: '' }),
    ...(typeof lowest === 'number' && { minimum: lowest }),
    ...(typeof highest === 'number' && { maximum: highest }),
  }
}

function fieldOf(id: string, raw: FieldSchema, required: boolean): Field {
  const schema = narrowed(withoutNull(raw))
  const { valueType, list } = splitType(schema['x-type'] ?? 'Text')
  return {
    id,
    title: schema.title || id,
    help: schema.description ?? '',
    kind: kindOf(schema, valueType),
    valueType,
    list: list || (MEDIA.has(valueType) && typeOf(schema) === 'array'),
    required,
    initial: schema.default ?? null,
    schema,
    exposed: exposedOf(raw),
  }
}

function exposedOf(schema: FieldSchema): ExposedField | null {
  const { 'x-group': group, 'x-setting': setting, 'x-node': type } = schema
  return typeof setting === 'string'
    ? {
        group: String(group ?? ''),
        setting,
        type: String(type ?? ''),
        makes: splitType(String(schema['x-makes'] ?? 'Any')).valueType,
      }
    : null
}

/** Every field of the form, in document order. */
export function fieldsOf(inputs: InputsSchema | null | undefined): Field[] {
  const required = new Set(inputs?.required ?? [])
  return Object.entries(inputs?.properties ?? {}).map(([id, schema]) => fieldOf(id, schema, required.has(id)))
}

/** The field for the text of the prompt bar: a user prompt, else the first text. */
export function promptField(fields: readonly Field[]): Field | null {
  const texts = fields.filter((field) => !field.exposed && field.valueType === 'Text' && isProse(field))
  return texts.find((field) => field.schema['x-node'] === 'user_prompt') ?? texts[0] ?? null
}

function isProse(field: Field): boolean {
  return field.kind === 'text' || field.kind === 'long_text'
}

/** The fields for the assets of the prompt bar, in order. */
export function mediaFields(fields: readonly Field[]): Field[] {
  return fields.filter((field) => !field.exposed && field.kind === 'media')
}

export function imageFields(fields: readonly Field[]): Field[] {
  return mediaFields(fields).filter((field) => field.valueType === 'Image')
}
