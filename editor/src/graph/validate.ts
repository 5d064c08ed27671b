import type { Schema } from './catalogue'
import { concrete } from './ports'
import { choicesOf } from './widgets'

/** What is wrong with a setting's value, in a sentence; null when it is fine. The server has the last word. */
export function fault(schema: Schema, value: unknown): string | null {
  const plain = concrete(schema)
  if (value === null || value === undefined) return null
  const kind = kindFault(plain, value)
  if (kind) return kind
  const choices = choicesOf(plain)
  if (choices.length > 0 && !choices.includes(value as string)) return 'Choose one of the list.'
  if (typeof value === 'string') return textFault(plain, value)
  if (typeof value === 'number') return numberFault(plain, value)
  if (Array.isArray(value)) return listFault(plain, value)
  return null
}

/** Data that is not of the shape at all, as one writes it by hand. */
function kindFault(schema: Schema, value: unknown): string | null {
  const isObject = typeof value === 'object' && !Array.isArray(value)
  if (schema.type === 'object' && !isObject)
    return 'This takes fields and values, in braces: {"name": "value"}.'
  if (schema.type === 'array' && !Array.isArray(value))
    return 'This takes a list, in brackets: ["one", "two"].'
  return null
}

function textFault(schema: Schema, value: string): string | null {
  const { minLength, maxLength, pattern } = schema
  if (minLength !== undefined && value.length < minLength) {
    return minLength === 1 ? 'This cannot be empty.' : `At least ${minLength} characters.`
  }
  if (maxLength !== undefined && value.length > maxLength) return `At most ${maxLength} characters.`
  if (pattern && value && !new RegExp(pattern, 'u').test(value)) return 'This is not written the right way.'
  return null
}

function numberFault(schema: Schema, value: number): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (Number.isNaN(value)) return 'This is not a number.'
  if (schema.type === 'integer' && !Number.isInteger(value)) return 'A whole number, please.'
  if (minimum !== undefined && value < minimum) return `At least ${minimum}.`
  if (maximum !== undefined && value > maximum) return `At most ${maximum}.`
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `More than ${exclusiveMinimum}.`
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return `Less than ${exclusiveMaximum}.`
  return null
}

function listFault(schema: Schema, value: readonly unknown[]): string | null {
  const { minItems, maxItems, items } = schema
  if (minItems !== undefined && value.length < minItems) return `At least ${minItems} items.`
  if (maxItems !== undefined && value.length > maxItems) return `At most ${maxItems} items.`
  if (!items) return null
  for (const item of value) {
    const wrong = fault(items, item)
    if (wrong) return wrong
  }
  return null
}
