import { countItems, humanize, modelLabel, typeLabel } from '@/lib/humanize'
import type { NodeType, Schema } from './catalog'
import type { FlowNode } from './document'
import { settingValue, withoutNull } from './ports'
import { choiceLabelOf, choicesOf, titleOfName, widgetOf } from './widgets'

export interface SettingField {
  readonly name: string
  readonly title: string
  readonly schema: Schema
  readonly advanced: boolean
  readonly main: boolean
  readonly group: string | null
  readonly required: boolean
}

/** The settings of a type in the order declared by its author. */
export function fieldsOf(type: NodeType): SettingField[] {
  return membersOf(type.settings)
}

/**
 * Whether the form shows a setting: the settings that it depends on have the values for which it applies, or another
 * value may come from elsewhere. `driven` are the settings with an edge. One that an edge drives or that launchers are
 * offered is always shown.
 */
export function isShown(
  { name, schema }: SettingField,
  node: FlowNode,
  type: NodeType,
  driven: ReadonlySet<string>,
): boolean {
  const comesFromElsewhere = (setting: string) =>
    driven.has(setting) || setting in (node.exposed ?? {}) || setting in (node.variables ?? {})
  return (
    comesFromElsewhere(name) ||
    Object.entries(schema['x-ui']?.shown_if ?? {}).every(
      ([other, value]) => comesFromElsewhere(other) || settingValue(node, type, other) === value,
    )
  )
}

/** Whether launchers of the agent may be offered a setting: not one that launches set anyway, and none whose text has variables. */
export function canExpose(type: NodeType, name: string): boolean {
  return !type.subflow && name !== type.input && !type.variables.includes(name)
}

/** The settings of a node that can still become inputs of the agent; `driven` are those that edges set. */
export function exposableFields(
  node: FlowNode,
  type: NodeType,
  driven: ReadonlySet<string>,
): readonly SettingField[] {
  const isFree = (name: string) =>
    !driven.has(name) && !(name in (node.exposed ?? {})) && !(name in (node.variables ?? {}))
  return fieldsOf(type).filter(
    (field) => canExpose(type, field.name) && isFree(field.name) && isShown(field, node, type, driven),
  )
}

/** The fields of an object; a title equal to the class name is ignored. */
export function membersOf(object: Schema): SettingField[] {
  const required = new Set(object.required ?? [])
  const fields = Object.entries(object.properties ?? {}).map(([name, schema], at) => ({
    name,
    title: (schema.type === 'object' && !schema['x-ui'] ? undefined : schema.title) ?? titleOfName(name),
    schema,
    advanced: schema['x-ui']?.advanced ?? false,
    main: schema['x-ui']?.main ?? false,
    group: schema['x-ui']?.group ?? null,
    required: required.has(name),
    order: schema['x-ui']?.order ?? at,
  }))
  return fields.sort((one, other) => one.order - other.order).map(({ order: _, ...field }) => field)
}

const known = new WeakMap<NodeType, SettingField[]>()

function fields(type: NodeType): SettingField[] {
  const cached = known.get(type) ?? fieldsOf(type)
  known.set(type, cached)
  return cached
}

/** The settings that are edited on the card itself. */
export function mainFields(type: NodeType): SettingField[] {
  return fields(type).filter((field) => field.main)
}

/** The setting that distinguishes nodes of a type: the model or voice, which the server or a provider knows. */
export function modelFieldOf<Field extends SettingField>(fields: readonly Field[]): Field | undefined {
  return fields.findLast((field) => field.schema['x-ui']?.options && !field.advanced)
}

/** The setting value that distinguishes this node from others of its type: the selected model or voice. */
export function modelLabelOf(node: FlowNode, type: NodeType): string {
  const chosen = fields(type).filter((field) => field.schema['x-ui']?.options && !field.advanced)
  const values = chosen.map((field) => settingValue(node, type, field.name))
  const words = values.filter((value): value is string => typeof value === 'string' && value !== '')
  return modelLabel(words.at(-1) ?? '')
}

/** A short summary of the settings, for places without room for them; without those that edges drive. */
export function describeSettings(node: FlowNode, type: NodeType, driven: readonly string[] = []): string {
  const shown = fields(type).filter((field) => !field.advanced && !driven.includes(field.name))
  const prose = shown.find((field) => widgetOf(field.schema) === 'long_text')
  const written = prose && settingValue(node, type, prose.name)
  if (typeof written === 'string' && written.trim()) return shorten(written)
  const parts = shown.flatMap((field) => inWords(field, settingValue(node, type, field.name)))
  const words = parts.slice(0, 3).join(', ')
  return words ? words[0]?.toUpperCase() + words.slice(1) : type.summary
}

function shorten(text: string): string {
  return text.length > 140 ? `${text.slice(0, 138)}…` : text
}

/** A short display text of a value; empty for values that show nothing. */
export function formatSettingValue({ title, schema }: SettingField, value: unknown): string {
  if (typeof value === 'string') return isChoice(schema, value) ? choiceLabelOf(schema, value) : value
  if (typeof value === 'boolean') return `${title}: ${humanize(value)}`
  if (typeof value === 'number') return [title, String(value), schema['x-ui']?.unit].filter(Boolean).join(' ')
  if (!Array.isArray(value)) return ''
  const plain = value.filter((item) => typeof item !== 'object' || item === null)
  if (plain.length > 0 || value.length === 0) return plain.join(', ')
  const names = value.map(nameOf)
  return names.every(Boolean) ? names.join(', ') : countItems(value.length)
}

function nameOf(item: unknown): string {
  const { name } = (item ?? {}) as { name?: unknown }
  return typeof name === 'string' ? name : ''
}

/** Values that mean that nothing was selected. */
const UNSET_VALUES = new Set(['auto', 'none', ''])

function inWords(field: SettingField, value: unknown): string[] {
  if (typeof value === 'string' && !UNSET_VALUES.has(value.trim()))
    return [
      isChoice(field.schema, value)
        ? (field.schema['x-ui']?.labels?.[value] ?? humanize(value))
        : shorten(value),
    ]
  if (typeof value === 'number') return [`${field.title.toLowerCase()} ${value}`]
  return []
}

function isChoice(schema: Schema | undefined, value: unknown): boolean {
  return schema !== undefined && choicesOf(withoutNull(schema)).includes(value as string)
}

/** A setting's value as text: choices by their label, Yes and No, and a line for each member of an object. */
export function formatValue(schema: Schema | undefined, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) {
    const items = value.map((item) => formatValue(schema && withoutNull(schema).items, item))
    return items.join(value.some((item) => typeof item === 'object') ? '\n' : ', ')
  }
  if (typeof value === 'object') return formatObject(schema, value as Record<string, unknown>)
  if (schema && isChoice(schema, value)) return choiceLabelOf(schema, value)
  return typeof value === 'string' ? value : humanize(value)
}

function formatObject(schema: Schema | undefined, value: Readonly<Record<string, unknown>>): string {
  if (typeof value.name === 'string' && value.name) return value.name
  if (typeof value.$type === 'string' && 'asset_id' in value) return typeLabel(value.$type)
  const members = (schema && withoutNull(schema).properties) ?? {}
  return Object.entries(value)
    .map(
      ([name, member]) => [titleOfMember(name, members[name]), formatValue(members[name], member)] as const,
    )
    .filter(([, text]) => text !== '')
    .map(([title, text]) => `${title}: ${text}`)
    .join('\n')
}

/** The setting at a path such as `brand.tone`: its title, and its schema where the type has one. */
export function settingAt(type: NodeType | undefined, path: string): { title: string; schema?: Schema } {
  const titles: string[] = []
  let schema: Schema | undefined = type?.settings
  for (const name of path.split('.')) {
    schema = schema && withoutNull(schema).properties?.[name]
    titles.push(titleOfMember(name, schema))
  }
  return { title: titles.join(', '), schema }
}

function titleOfMember(name: string, schema: Schema | undefined): string {
  return (schema && membersOf({ properties: { [name]: schema } })[0]?.title) ?? titleOfName(name)
}
