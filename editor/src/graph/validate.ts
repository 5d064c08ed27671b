import type { Schema } from './catalog'
import { withoutNull } from './ports'
import { choicesOf, widgetOf } from './widgets'

/** The error of a setting's value as a sentence; null when it is valid. The server checks again. */
export function valueError(schema: Schema, value: unknown): string | null {
  const plain = withoutNull(schema)
  if (value === null || value === undefined) return null
  const kind = typeError(plain, value)
  if (kind) return kind
  const choices = choicesOf(plain)
  if (choices.length > 0 && !choices.includes(value as string)) return 'Choose one of the listed values.'
  if (typeof value === 'string') return textError(plain, value)
  if (typeof value === 'number') return numberError(plain, value)
  if (Array.isArray(value)) return listError(plain, value)
  return typeof value === 'object' ? objectError(plain, value as Record<string, unknown>) : null
}

/** The error of the setting itself, without those of nested fields, which are shown at the fields. */
export function ownValueError(schema: Schema, value: unknown, depth = 0): string | null {
  const widget = widgetOf(schema, depth)
  if (widget === 'object') return typeError(withoutNull(schema), value ?? {})
  if (widget !== 'items' || !Array.isArray(value)) return valueError(schema, value)
  return lengthError(withoutNull(schema), value)
}

/** The error of a value of the wrong JSON type. */
function typeError(schema: Schema, value: unknown): string | null {
  const isObject = typeof value === 'object' && !Array.isArray(value)
  if (schema.type === 'object' && !isObject) return 'Enter names and values in braces: {"name": "value"}.'
  if (schema.type === 'array' && !Array.isArray(value)) return 'Enter a list in brackets: ["one", "two"].'
  if (schema.type === 'string' && typeof value !== 'string') return 'Enter text.'
  if ((schema.type === 'number' || schema.type === 'integer') && typeof value !== 'number')
    return 'Enter a number.'
  if (schema.type === 'boolean' && typeof value !== 'boolean') return 'Enter true or false.'
  return null
}

function textError(schema: Schema, value: string): string | null {
  const { minLength, maxLength, pattern } = schema
  if (minLength !== undefined && value.length < minLength) {
    return minLength === 1 ? 'Enter a value.' : `At least ${minLength} characters.`
  }
  if (maxLength !== undefined && value.length > maxLength) return `At most ${maxLength} characters.`
  if (pattern && value && matches(pattern, value) === false) return 'This value has the wrong format.'
  return schema['x-ui']?.widget === 'colour' && value.trim() && toHexColor(value) === null
    ? 'Enter a colour such as #de4f2a.'
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

function numberError(schema: Schema, value: number): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (Number.isNaN(value)) return 'Enter a number.'
  if (schema.type === 'integer' && !Number.isInteger(value)) return 'Enter a whole number.'
  if (minimum !== undefined && value < minimum) return `At least ${minimum}.`
  if (maximum !== undefined && value > maximum) return `At most ${maximum}.`
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `More than ${exclusiveMinimum}.`
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return `Less than ${exclusiveMaximum}.`
  return null
}

function listError(schema: Schema, value: readonly unknown[]): string | null {
  const wrong = lengthError(schema, value)
  if (wrong) return wrong
  const items = { 'x-ui': schema['x-ui'], ...schema.items }
  for (const [at, item] of value.entries()) {
    const wrong = schema.items ? valueError(items, item) : null
    if (wrong) return value.length > 1 ? `Item ${at + 1}: ${wrong}` : wrong
  }
  return null
}

function lengthError({ minItems, maxItems }: Schema, value: readonly unknown[]): string | null {
  if (minItems !== undefined && value.length < minItems) return `At least ${counted(minItems)}.`
  if (maxItems !== undefined && value.length > maxItems) return `At most ${counted(maxItems)}.`
  return null
}

function counted(items: number): string {
  return items === 1 ? '1 item' : `${items} items`
}

/** Checks objects entered as JSON; assets and nested forms check their own. */
function objectError(schema: Schema, value: Readonly<Record<string, unknown>>): string | null {
  const missing = (schema.required ?? []).find((name) => !(name in value))
  if (missing) return `“${missing}” is missing.`
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const wrong = name in value ? valueError(member, value[name]) : null
    if (wrong) return `${name}: ${wrong}`
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
