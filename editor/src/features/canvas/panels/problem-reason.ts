import type { Problem, Reason } from '@/document/backend'
import type { Schema } from '@/graph/catalog'
import { settingAt } from '@/graph/setting-fields'
import type { ValueError } from '@/graph/validate'
import type { ValuePath } from '@/graph/value-path'

/** Why the server does not take the value of a setting; null for problems with sentences of their own. */
export function reasonOf({ code, setting, reason }: Problem): Reason | null {
  return (code === 'bad_setting' && setting && reason) || null
}

/** The reason as the error of a value, at its place in the value; null if it has no such code. */
export function valueErrorOf(reason: Reason, path: ValuePath, schema: Schema | undefined): ValueError | null {
  const error = ownError(reason, schema)
  return error && path.reduceRight<ValueError>(inPart, error)
}

function inPart(error: ValueError, step: string | number): ValueError {
  return typeof step === 'number'
    ? { code: 'inItem', number: step + 1, error }
    : { code: 'inField', name: settingAt(undefined, step).title, error }
}

const LIMITS = {
  too_small: 'least',
  too_large: 'most',
  not_above: 'above',
  not_below: 'below',
} as const
const LENGTHS = {
  too_short: { text: 'minCharacters', items: 'minItems' },
  too_long: { text: 'maxCharacters', items: 'maxItems' },
} as const
const TYPES = ['text', 'number', 'integer', 'boolean', 'list', 'object'] as const

function ownError({ code, parameters = {} }: Reason, schema: Schema | undefined): ValueError | null {
  const { limit, count, name, expected } = parameters
  if (isIn(LIMITS, code)) return typeof limit === 'number' ? { code: LIMITS[code], limit } : null
  if (isIn(LENGTHS, code)) return typeof count === 'number' ? lengthError(code, count, schema) : null
  switch (code) {
    case 'wrong_type': {
      const type = TYPES.find((one) => one === expected)
      return type ? { code: type } : null
    }
    case 'wrong_format':
      return { code: 'pattern' }
    case 'not_a_choice':
      return { code: 'choice' }
    case 'missing_field':
      return typeof name === 'string' ? { code: 'missing', name } : null
    default:
      return null
  }
}

function lengthError(code: keyof typeof LENGTHS, count: number, schema: Schema | undefined): ValueError {
  if (schema?.type !== 'string') return { code: LENGTHS[code].items, count }
  return code === 'too_short' && count === 1 ? { code: 'empty' } : { code: LENGTHS[code].text, count }
}

function isIn<Table extends object>(table: Table, code: string): code is Extract<keyof Table, string> {
  return Object.hasOwn(table, code)
}
