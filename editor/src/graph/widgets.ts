import { choiceLabel } from '@/lib/humanize'
import type { Schema } from './catalog'
import { typeOfSchema, withoutNull } from './ports'

export type Widget =
  | 'text'
  | 'long_text'
  | 'variables'
  | 'number'
  | 'slider'
  | 'switch'
  | 'select'
  | 'segmented'
  | 'options'
  | 'colour'
  | 'picture'
  | 'file'
  | 'list'
  | 'items'
  | 'object'
  | 'colors'
  | 'json'
  | 'schema'
  | 'key_value'
  | 'flow'
  | 'table'
  | 'brand'
  | 'conditions'
  | 'api_workflow'
  | 'mask'

/** Types whose values can be selected from choices that the server provides. */
const CHOICE_TYPES = new Set(['string', 'number', 'integer'])

const REQUESTABLE_WIDGETS = new Set<string>([
  'text',
  'long_text',
  'variables',
  'number',
  'slider',
  'switch',
  'select',
  'segmented',
  'colour',
  'picture',
  'file',
  'list',
  'json',
  'schema',
  'key_value',
  'flow',
  'table',
  'brand',
  'conditions',
  'api_workflow',
  'mask',
])

/** The control of a setting: the one that its author requests if it fits, else the default of its type. */
export function widgetOf(schema: Schema, depth = 0): Widget {
  const plain = withoutNull(schema)
  const asked = schema['x-ui']?.widget ?? plain['x-ui']?.widget
  const offers = schema['x-ui']?.options || plain['x-ui']?.options
  if (offers && CHOICE_TYPES.has(String(plain.type))) return 'options'
  if (plain.type === 'array' && asked === 'colour') return 'colors'
  if (asked === 'list' || (!asked && plain.type === 'array')) return listWidget(plain, depth)
  if (asked && REQUESTABLE_WIDGETS.has(asked))
    return fitting(asked as Widget, { ...plain, default: schema.default }, depth)
  return byType(plain, depth)
}

/** Nesting depth from which forms are shown as JSON. */
const MAX_DEPTH = 3

function fitting(asked: Widget, schema: Schema, depth: number): Widget {
  const choices = choicesOf(schema)
  if ((asked === 'picture' || asked === 'file') && !isAsset(schema)) return byType(schema, depth)
  if (asked === 'brand' && !schema.properties?.saved) return byType(schema, depth)
  if ((asked === 'select' || asked === 'segmented') && choices.length === 0) return byType(schema, depth)
  if (asked === 'segmented' && !shortEnough(choices) && !inRows(choices)) return 'select'
  if (asked === 'slider' && !slides(schema)) return 'number'
  return asked
}

function byType(schema: Schema, depth: number): Widget {
  if (isAsset(schema)) return typeOfSchema(schema).type === 'Image' ? 'picture' : 'file'
  const choices = choicesOf(schema)
  if (choices.length > 0) return choices.length <= 5 && shortEnough(choices) ? 'segmented' : 'select'
  switch (schema.type) {
    case 'boolean':
      return 'switch'
    case 'integer':
    case 'number':
      return slides(schema) ? 'slider' : 'number'
    case 'string':
      return schema.format === 'color' ? 'colour' : 'text'
    case 'array':
      return listWidget(schema, depth)
    case 'object':
      return objectWidget(schema, depth)
    default:
      return 'json'
  }
}

function objectWidget(schema: Schema, depth: number): Widget {
  if (Object.keys(schema.properties ?? {}).length === 0) return 'key_value'
  return depth < MAX_DEPTH ? 'object' : 'json'
}

function listWidget(schema: Schema, depth: number): Widget {
  const items = schema.items ? withoutNull(schema.items) : undefined
  if (!items) return 'json'
  if (items.format === 'color' || items['x-ui']?.widget === 'colour') return 'colors'
  if (items.pattern?.includes('#') && items.type === 'string') return 'colors'
  if (CHOICE_TYPES.has(String(items.type)) && choicesOf(items).length === 0) return 'list'
  return depth < MAX_DEPTH && widgetOf(items, depth + 1) !== 'json' ? 'items' : 'json'
}

/** Whether the schema references an asset. */
function isAsset(schema: Schema): boolean {
  return schema.properties?.asset_id !== undefined || ASSETS.has(schema['x-type'] ?? '')
}

const ASSETS = new Set(['Image', 'Video', 'Audio', 'File'])

/** Whether the range is closed and coarse enough for a slider, and the setting always has a value. */
function slides(schema: Schema): boolean {
  const [low, high] = [minimumOf(schema), maximumOf(schema)]
  if (low === undefined || high === undefined || isOptional(schema)) return false
  return (high - low) / stepOf(schema) <= MAX_SLIDER_STEPS
}

const MAX_SLIDER_STEPS = 2000

/** Whether the setting may be null. */
export function isOptional(schema: Schema): boolean {
  return (
    (schema.anyOf ?? schema.oneOf ?? []).some((option) => option.type === 'null') || schema.default === null
  )
}

export function minimumOf(schema: Schema): number | undefined {
  return schema.minimum ?? schema.exclusiveMinimum
}

export function maximumOf(schema: Schema): number | undefined {
  return schema.maximum ?? schema.exclusiveMaximum
}

export function stepOf(schema: Schema): number {
  const declared = schema['x-ui']?.step ?? schema.multipleOf
  if (declared) return declared
  if (schema.type === 'integer') return 1
  const [low, high] = [minimumOf(schema), maximumOf(schema)]
  return low !== undefined && high !== undefined && high - low <= 2 ? 0.05 : 0.1
}

export function choicesOf(schema: Schema): (string | number | boolean)[] {
  const listed = schema.enum ?? (schema.anyOf ?? schema.oneOf)?.flatMap((one) => one.const ?? [])
  return (listed ?? []).filter((value): value is string | number | boolean =>
    ['string', 'number', 'boolean'].includes(typeof value),
  )
}

/** The label of a choice: the one that its schema states, else a readable form of the value. */
export function choiceLabelOf(schema: Schema, value: unknown): string {
  return schema['x-ui']?.labels?.[String(value)] ?? choiceLabel(value)
}

/** Whether all labels fit side by side in the width of the inspector. */
function shortEnough(choices: readonly unknown[]): boolean {
  return choices.reduce<number>((sum, choice) => sum + String(choice).length + 3, 0) <= 36
}

/** Whether the labels are short enough (`4:5`) to be shown in rows. */
function inRows(choices: readonly unknown[]): boolean {
  return choices.length <= 12 && choices.every((choice) => String(choice).length <= 5)
}

/** A label from the name of a field without a title: `brand_name`, `lineHeight`. */
export function titleOfName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase()
  return words ? (words[0] as string).toUpperCase() + words.slice(1) : name
}
