/** The values of data inputs, whose form has nested fields. */

import type { Schema } from '@/graph/catalog'
import { membersOf } from '@/graph/setting-fields'
import { valueError } from '@/graph/validate'
import type { Field } from './fields'

type Members = Record<string, unknown>

/** Whether the input is data with a form. */
export function isDataForm({ kind, schema }: Field): boolean {
  return kind === 'form' && schema['x-node'] === 'data'
}

/** The value as the form shows it: with the defaults of its fields, and with No for switches that must be set. */
export function completeData(schema: Schema, value: unknown): Members {
  const given: Members = isMembers(value) ? value : {}
  const found = membersOf(schema).map(({ name, schema: member, required }) => {
    const own = given[name] ?? member.default
    if (member.type === 'object' && member.properties && (required || isMembers(own)))
      return [name, completeData(member, own)] as const
    return [name, own ?? (required && member.type === 'boolean' ? false : undefined)] as const
  })
  return { ...given, ...Object.fromEntries(found.filter(([, own]) => own !== undefined)) }
}

/** The titles of the fields that need a value, or another one. */
export function openFields(schema: Schema, value: unknown): string[] {
  const given: Members = isMembers(value) ? value : {}
  return membersOf(schema).flatMap(({ name, title, schema: member, required }) => {
    const own = given[name]
    if (own === undefined || own === null || own === '') return required ? [title] : []
    if (isMembers(own) && member.properties) return openFields(member, own)
    return valueError(member, own) ? [title] : []
  })
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
