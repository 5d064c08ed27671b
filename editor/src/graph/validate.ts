import type { Schema } from './catalog'
import { withoutNull } from './ports'
import { choicesOf, widgetOf } from './widgets'

type PlainError =
  | 'object'
  | 'list'
  | 'text'
  | 'number'
  | 'boolean'
  | 'integer'
  | 'choice'
  | 'empty'
  | 'pattern'
  | 'color'
type CountError = 'minCharacters' | 'maxCharacters' | 'minItems' | 'maxItems'

/** What is wrong with a value; `useValueErrorText` turns it into a sentence. */
export type ValueError =
  | { readonly code: PlainError }
  | { readonly code: CountError; readonly count: number }
  | { readonly code: 'least' | 'most' | 'above' | 'below'; readonly limit: number }
  | { readonly code: 'missing'; readonly name: string }
  | { readonly code: 'inItem'; readonly number: number; readonly error: ValueError }
  | { readonly code: 'inField'; readonly name: string; readonly error: ValueError }

/** The error of a setting's value; null when it is valid. The server checks again. */
export function valueError(schema: Schema, value: unknown): ValueError | null {
  const plain = withoutNull(schema)
  if (value === null || value === undefined) return null
  const kind = typeError(plain, value)
  if (kind) return kind
  const choices = choicesOf(plain)
  if (choices.length > 0 && !choices.includes(value as string)) return { code: 'choice' }
  if (typeof value === 'string') return textError(plain, value)
  if (typeof value === 'number') return numberError(plain, value)
  if (Array.isArray(value)) return listError(plain, value)
  return typeof value === 'object' ? objectError(plain, value as Record<string, unknown>) : null
}

/** The error of the setting itself, without those of nested fields, which are shown at the fields. */
export function ownValueError(schema: Schema, value: unknown, depth = 0): ValueError | null {
  const widget = widgetOf(schema, depth)
  if (widget === 'object') return typeError(withoutNull(schema), value ?? {})
  if (widget !== 'items' || !Array.isArray(value)) return valueError(schema, value)
  return lengthError(withoutNull(schema), value)
}

/** Whether a value has the JSON type of its schema, whatever its other errors. */
export function hasTypeOf(schema: Schema, value: unknown): boolean {
  return typeError(withoutNull(schema), value) === null
}

/** The error of a value of the wrong JSON type. */
function typeError(schema: Schema, value: unknown): ValueError | null {
  const isObject = typeof value === 'object' && !Array.isArray(value)
  if (schema.type === 'object' && !isObject) return { code: 'object' }
  if (schema.type === 'array' && !Array.isArray(value)) return { code: 'list' }
  if (schema.type === 'string' && typeof value !== 'string') return { code: 'text' }
  if ((schema.type === 'number' || schema.type === 'integer') && typeof value !== 'number')
    return { code: 'number' }
  if (schema.type === 'boolean' && typeof value !== 'boolean') return { code: 'boolean' }
  return null
}

function textError(schema: Schema, value: string): ValueError | null {
  const { minLength, maxLength, pattern } = schema
  if (minLength !== undefined && value.length < minLength) {
    return minLength === 1 ? { code: 'empty' } : { code: 'minCharacters', count: minLength }
  }
  if (maxLength !== undefined && value.length > maxLength) return { code: 'maxCharacters', count: maxLength }
  if (pattern && value && matches(pattern, value) === false) return { code: 'pattern' }
  return schema['x-ui']?.widget === 'colour' && value.trim() && toHexColor(value) === null
    ? { code: 'color' }
    : null
}

/** Null when JavaScript cannot compile the pattern; the server then checks it. */
function matches(pattern: string, value: string): boolean | null {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return null
  }
}

function numberError(schema: Schema, value: number): ValueError | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (Number.isNaN(value)) return { code: 'number' }
  if (schema.type === 'integer' && !Number.isInteger(value)) return { code: 'integer' }
  if (minimum !== undefined && value < minimum) return { code: 'least', limit: minimum }
  if (maximum !== undefined && value > maximum) return { code: 'most', limit: maximum }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return { code: 'above', limit: exclusiveMinimum }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return { code: 'below', limit: exclusiveMaximum }
  return null
}

function listError(schema: Schema, value: readonly unknown[]): ValueError | null {
  const wrong = lengthError(schema, value)
  if (wrong) return wrong
  const items = { 'x-ui': schema['x-ui'], ...schema.items }
  for (const [at, item] of value.entries()) {
    const wrong = schema.items ? valueError(items, item) : null
    if (wrong) return value.length > 1 ? { code: 'inItem', number: at + 1, error: wrong } : wrong
  }
  return null
}

function lengthError({ minItems, maxItems }: Schema, value: readonly unknown[]): ValueError | null {
  if (minItems !== undefined && value.length < minItems) return { code: 'minItems', count: minItems }
  if (maxItems !== undefined && value.length > maxItems) return { code: 'maxItems', count: maxItems }
  return null
}

/** Checks objects entered as JSON; assets and nested forms check their own. */
function objectError(schema: Schema, value: Readonly<Record<string, unknown>>): ValueError | null {
  const missing = (schema.required ?? []).find((name) => !(name in value))
  if (missing) return { code: 'missing', name: missing }
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const wrong = name in value ? valueError(member, value[name]) : null
    if (wrong) return { code: 'inField', name, error: wrong }
  }
  return null
}

const HEX = /^#?([0-9a-f]{3}|[0-9a-f]{6}(?:[0-9a-f]{2})?)$/i

/** Normalizes `#d84` and `de4f2a` to `#rrggbb`; null for text that is not a color. */
export function toHexColor(text: string): string | null {
  const digits = HEX.exec(text.trim())?.[1]?.toLowerCase()
  if (!digits) return null
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits.slice(0, 6)}`
}
