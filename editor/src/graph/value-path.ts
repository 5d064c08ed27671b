import type { ValueError } from './validate'

/** Where a part is within a value: names of fields and numbers of items, from 0. */
export type ValuePath = readonly (string | number)[]

const STEP = /\.?([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y

/** The steps of `cases[0].rules` or `schema.properties["full name"]`, as the server writes them. */
export function parseValuePath(text: string): ValuePath {
  const steps: (string | number)[] = []
  STEP.lastIndex = 0
  for (let found = STEP.exec(text); found; found = STEP.exec(text)) {
    const [, name, number, quoted] = found
    steps.push(name ?? (number === undefined ? (JSON.parse(quoted ?? '""') as string) : Number(number)))
  }
  return steps
}

/** Where the error of a value is within it. */
export function pathOfError(error: ValueError, value: unknown): ValuePath {
  // The error of an only item does not say its number.
  const isOfList = error.code === 'list' || error.code === 'minItems' || error.code === 'maxItems'
  if (Array.isArray(value) && value.length === 1 && !isOfList) return [0, ...pathOfError(error, value[0])]
  if (error.code !== 'inField' && error.code !== 'inItem') return []
  const step = error.code === 'inField' ? error.name : error.number - 1
  return [step, ...pathOfError(error.error, memberOf(value, step))]
}

function memberOf(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined
}
