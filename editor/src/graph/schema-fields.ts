/** A JSON Schema as a form shows it: the named fields of an object, each with a type, nested as deep as it is. */

/** A JSON Schema, with every keyword: those that a form does not show are kept. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The types that a form offers. `other` is any schema that it can only keep. */
export const FIELD_TYPES = ['string', 'number', 'integer', 'boolean', 'choice', 'array', 'object'] as const
export type FieldType = (typeof FIELD_TYPES)[number] | 'other'

export interface NamedField {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
}

/** Keywords that give a schema more than one shape. */
const COMBINATORS = ['$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'const', 'patternProperties'] as const
/** Keywords that belong to one type; they are removed with it. */
const TYPE_KEYWORDS = new Set([
  ...['enum', 'pattern', 'format', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems'],
  ...['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  ...['default', 'examples'],
])

export const EMPTY_OBJECT: JsonSchema = {
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
}

export function isJsonObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a form can show the value: an object with named fields, or nothing yet. */
export function isFormSchema(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (!isJsonObject(value)) return false
  return Object.keys(value).length === 0 || fieldTypeOf(value) === 'object'
}

export function fieldTypeOf(schema: JsonSchema): FieldType {
  if (COMBINATORS.some((keyword) => keyword in schema)) return 'other'
  const { type } = schema
  if ('enum' in schema) return type === 'string' && isTexts(schema.enum) ? 'choice' : 'other'
  if (type === 'array') return schema.items === undefined || isJsonObject(schema.items) ? 'array' : 'other'
  if (type === 'object') return hasReadableMembers(schema) ? 'object' : 'other'
  return FIELD_TYPES.find((known) => known === type) ?? 'other'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function hasReadableMembers({ properties, required }: JsonSchema): boolean {
  const members = properties ?? {}
  return isJsonObject(members) && Object.values(members).every(isJsonObject) && isTexts(required ?? [])
}

/** The schema with another type; its title and description stay. */
export function withFieldType(schema: JsonSchema, type: Exclude<FieldType, 'other'>): JsonSchema {
  const dropped = (keyword: string) =>
    TYPE_KEYWORDS.has(keyword) || (COMBINATORS as readonly string[]).includes(keyword) || keyword === 'type'
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !dropped(keyword)))
  if (type === 'object') return { ...EMPTY_OBJECT, ...kept }
  if (type === 'array') return { type, items: { type: 'string' }, ...kept }
  if (type === 'choice') return { type: 'string', enum: [], ...kept }
  return { type, ...kept }
}

/** The types whose examples a form takes. */
const WITH_EXAMPLE: ReadonlySet<FieldType> = new Set(['string', 'number', 'integer'])

/** The first example as text; null for a type whose examples the form does not show. */
export function exampleOf(schema: JsonSchema): string | null {
  if (!WITH_EXAMPLE.has(fieldTypeOf(schema))) return null
  const [first] = Array.isArray(schema.examples) ? schema.examples : []
  return first === undefined || first === null ? '' : String(first)
}

/** The schema with another first example; text that is not a number is no example of one. */
export function withExample(schema: JsonSchema, text: string): JsonSchema {
  const { examples, ...rest } = schema
  const others = Array.isArray(examples) ? examples.slice(1) : []
  const isText = fieldTypeOf(schema) === 'string'
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const own = isText ? (text === '' ? [] : [text]) : Number.isFinite(number) ? [number] : []
  const next = [...own, ...others]
  return next.length > 0 ? { ...rest, examples: next } : rest
}

/** The fields of an object, in their order. */
export function namedFieldsOf(schema: JsonSchema): NamedField[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: isJsonObject(member) ? member : {},
    required: required.has(name),
  }))
}

/** The object with these fields; its other keywords stay. */
export function withNamedFields(schema: JsonSchema, fields: readonly NamedField[]): JsonSchema {
  return {
    ...(Object.keys(schema).length === 0 ? EMPTY_OBJECT : schema),
    properties: Object.fromEntries(fields.map(({ name, schema: member }) => [name, member])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** A name that no other row has: `field`, `field_2`, … */
export function unusedName(stem: string, names: readonly string[]): string {
  let name = stem
  for (let number = 2; names.includes(name); number += 1) name = `${stem}_${number}`
  return name
}
