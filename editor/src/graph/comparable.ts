import { AGENT_INPUTS, type Catalog } from './catalog'
import { type FlowDocument, type FlowNode, parseEnd, type Settings } from './document'
import { titlesOf } from './edits/agent-inputs'
import { isRecord } from './parse'
import { fieldsOf, type SettingField } from './setting-fields'

/** A setting of a node, or one of the agent that the node runs, whose values can be compared. */
export interface ComparableField extends SettingField {
  /** The node type of the setting, by which the server finds its choices, and its name there. */
  readonly typeId: string
  readonly setting: string
  /** The name of the inner agent's input; null for a setting of the node itself. */
  readonly inner: string | null
}

/** All settings of a node; those that an edge sets only if `fed` is true. */
export function comparableFields(
  node: FlowNode,
  document: FlowDocument,
  catalog: Catalog,
  { fed = false } = {},
): ComparableField[] {
  const type = catalog.typeOf(node)
  if (!type) return []
  const ends = document.edges.map((edge) => parseEnd(edge.to))
  const taken = new Set(fed ? [] : ends.filter((end) => end.node === node.id).map((end) => end.port))
  const own = fieldsOf(type)
    .filter((field) => !taken.has(field.name) && !(type.agentInputs && field.name === AGENT_INPUTS))
    .map((field) => ({ ...field, typeId: type.id, setting: field.name, inner: null }))
  const inputs = (type.agentInputs ?? []).filter(({ name }) => !taken.has(name))
  const titles = titlesOf(inputs)
  const inner = inputs.map(({ name, title, schema, typeId, setting, required = false }) => ({
    name: `${AGENT_INPUTS}.${name}`,
    title: titles.get(name) ?? title,
    schema,
    advanced: false,
    main: false,
    group: null,
    required,
    typeId,
    setting,
    inner: name,
  }))
  return [...own, ...inner]
}

/** The value of a setting, or its default. */
export function valueIn(settings: Settings, { name, schema, inner }: ComparableField): unknown {
  const values = inner === null ? settings : innerValues(settings)
  const key = inner ?? name
  return key in values ? values[key] : schema.default
}

/** The settings with another value of one; `undefined` applies its default. */
export function withValue(settings: Settings, { name, inner }: ComparableField, value: unknown): Settings {
  if (inner === null) return withMember(settings, name, value)
  const values = withMember(innerValues(settings), inner, value)
  return withMember(settings, AGENT_INPUTS, Object.keys(values).length > 0 ? values : undefined)
}

function innerValues(settings: Settings): Settings {
  const values = settings[AGENT_INPUTS]
  return isRecord(values) ? values : {}
}

function withMember(object: Settings, name: string, value: unknown): Settings {
  const { [name]: _, ...others } = object
  return value === undefined ? others : { ...others, [name]: value }
}
