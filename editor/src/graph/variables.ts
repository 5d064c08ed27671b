import { AGENT_INPUTS, type Catalog, type NodeType, type Schema } from './catalog'
import {
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type FlowVariable,
  findNode,
  parseEnd,
  type Settings,
  type VariableType,
  variablesOf,
} from './document'
import { isRecord } from './parse'
import { type Port, settingValue, typeOfSchema, variablesIn } from './ports'
import { hasTypeOf, toHexColor, valueError } from './validate'

export const MAX_VARIABLES = 100
export const MAX_NAME_LENGTH = 64
export const MAX_VALUE_LENGTH = 20_000
export const VARIABLE_TYPES: readonly VariableType[] = ['Text', 'Number', 'Integer', 'Boolean', 'Json']
const NAME = /^[A-Za-z_][\p{L}\p{N}_]*$/u

/** One place where a variable is used: a setting that it sets, or a template that names it. */
export interface VariableUse {
  readonly node: string
  readonly setting: string
  readonly kind: 'setting' | 'template'
}

/** The settings of a type whose `{{names}}` take variables: its templates, and the text of an input node. */
export function templateSettings(type: NodeType | undefined): readonly string[] {
  if (!type) return []
  const schema = type.input ? type.settings.properties?.[type.input] : undefined
  const port = schema && typeOfSchema(schema)
  const isText = port?.type === 'Text' && port.depth === 0
  return isText && type.input && !type.variables.includes(type.input)
    ? [...type.variables, type.input]
    : type.variables
}

/** The placeholders of a node's setting that take variables: those that no input of the node has, nor an edge. */
export function openPlaceholders(
  node: FlowNode,
  type: NodeType,
  setting: string,
  connected: ReadonlySet<string>,
): string[] {
  if (node.variables?.[setting] !== undefined) return []
  const own = new Set(type.inputs.map(({ name }) => name))
  return variablesIn(settingValue(node, type, setting)).filter(
    (name) => !own.has(name) && !connected.has(`${node.id}.${name}`),
  )
}

export function connectedEnds(document: FlowDocument): ReadonlySet<string> {
  return new Set(document.edges.map(({ to }) => to))
}

/** Where each variable is used, by name, in the order of the document. Has also the names of missing variables. */
export function usesOf(
  document: FlowDocument,
  catalog: Catalog,
): ReadonlyMap<string, readonly VariableUse[]> {
  const known = new Set(variablesOf(document).map(({ name }) => name))
  const connected = connectedEnds(document)
  const uses = new Map<string, VariableUse[]>()
  for (const node of document.nodes) {
    const inTemplates = known.size > 0 ? templateUses(node, catalog.typeOf(node), connected) : []
    for (const { name, ...use } of [...settingUses(node), ...inTemplates]) {
      if (use.kind === 'template' && !known.has(name)) continue
      const list = uses.get(name)
      if (list) list.push(use)
      else uses.set(name, [use])
    }
  }
  return uses
}

type NamedUse = VariableUse & { readonly name: string }

function settingUses(node: FlowNode): NamedUse[] {
  return Object.entries(node.variables ?? {}).map(([setting, name]) => ({
    name,
    node: node.id,
    setting,
    kind: 'setting',
  }))
}

function templateUses(
  node: FlowNode,
  type: NodeType | undefined,
  connected: ReadonlySet<string>,
): NamedUse[] {
  if (!type) return []
  return templateSettings(type).flatMap((setting) =>
    openPlaceholders(node, type, setting, connected).map((name) => ({
      name,
      node: node.id,
      setting,
      kind: 'template' as const,
    })),
  )
}

/** The variables that some nodes use, in the order of the document. */
export function variablesUsedBy(
  document: FlowDocument,
  catalog: Catalog,
  ids: ReadonlySet<string>,
): readonly FlowVariable[] {
  const uses = usesOf(document, catalog)
  return variablesOf(document).filter(({ name }) => uses.get(name)?.some(({ node }) => ids.has(node)))
}

export function findVariable(document: FlowDocument, name: string): FlowVariable | undefined {
  return variablesOf(document).find((variable) => variable.name === name)
}

/** The node with the values of these variables in the settings that they set. */
export function boundNode(node: FlowNode, variables: readonly FlowVariable[]): FlowNode {
  const uses = Object.entries(node.variables ?? {})
  if (uses.length === 0) return node
  const settings = uses.reduce<Settings>((all, [setting, name]) => {
    const variable = variables.find((one) => one.name === name)
    return variable ? withSettingAt(all, setting, variable.value) : all
  }, node.settings)
  return { ...node, settings }
}

/** Before the name of a setting of the agent that a node runs, among the uses of variables. */
const INNER = `${AGENT_INPUTS}.`

/** The settings with another value of one; `inputs.x` is an input of the agent that the node runs. */
export function withSettingAt(settings: Settings, name: string, value: unknown): Settings {
  if (!name.startsWith(INNER)) return { ...settings, [name]: value }
  const inputs = isRecord(settings[AGENT_INPUTS]) ? settings[AGENT_INPUTS] : {}
  return { ...settings, [AGENT_INPUTS]: { ...inputs, [name.slice(INNER.length)]: value } }
}

/** The end of an edge that would drive the setting of a use. */
export function endOfUse(node: string, setting: string): string {
  return `${node}.${setting.startsWith(INNER) ? setting.slice(INNER.length) : setting}`
}

/** The inputs without the placeholders that variables fill; `incoming` are the edges into the node. */
export function withoutFilled(
  ports: readonly Port[],
  document: FlowDocument,
  incoming: readonly FlowEdge[],
): readonly Port[] {
  const names = new Set(variablesOf(document).map(({ name }) => name))
  if (names.size === 0 || !ports.some(({ kind }) => kind === 'variable')) return ports
  const connected = new Set(incoming.map(({ to }) => parseEnd(to).port))
  return ports.filter(({ kind, name }) => kind !== 'variable' || !names.has(name) || connected.has(name))
}

/** The text of a value in a template, as the server writes it. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether a setting can take the value of a variable. */
export function fits(schema: Schema, variable: FlowVariable): boolean {
  const { value } = variable
  if (value === null) return false
  return hasTypeOf(schema, value) && valueError(schema, value) === null
}

/** The type that a value has, as a new variable of a setting. */
export function typeOfValue(schema: Schema | undefined, value: unknown): VariableType {
  const declared = schema && typeOfSchema(schema)
  if (typeof value === 'string') return 'Text'
  if (typeof value === 'boolean') return 'Boolean'
  if (typeof value === 'number')
    return declared?.type === 'Integer' && Number.isInteger(value) ? 'Integer' : 'Number'
  return 'Json'
}

/** Whether a value can be that of a variable: no file or brand, and not too long. */
export function canHold(value: unknown): boolean {
  if (value === undefined || value === null) return false
  const text = textOfValue(value)
  return text.length <= MAX_VALUE_LENGTH && !text.includes('"$type"')
}

/** The same value as another type; the empty value of that type if it cannot be read as such. */
export function convertValue(value: unknown, type: VariableType): unknown {
  switch (type) {
    case 'Text':
      return value === null ? '' : textOfValue(value)
    case 'Number':
    case 'Integer': {
      const number = typeof value === 'string' && value.trim() ? Number(value) : value
      if (typeof number !== 'number' || !Number.isFinite(number)) return 0
      return type === 'Integer' ? Math.trunc(number) : number
    }
    case 'Boolean':
      return value === true || value === 'true'
    case 'Json':
      return value
  }
}

export function isColor(variable: FlowVariable): boolean {
  return variable.widget === 'colour' && typeof variable.value === 'string'
}

export function colorOf(variable: FlowVariable): string | null {
  return isColor(variable) ? toHexColor(variable.value as string) : null
}

export type NameError =
  | { readonly code: 'empty' | 'characters' | 'long' | 'taken' }
  /** A node that uses the variable has an input of this name, or a text already has a placeholder of it. */
  | { readonly code: 'input' | 'placeholder'; readonly node: string }

/** Why a variable cannot have a name; null if it can. `previous` is its name now. */
export function nameError(
  document: FlowDocument,
  catalog: Catalog,
  name: string,
  previous?: string,
): NameError | null {
  if (name === previous) return null
  if (!name) return { code: 'empty' }
  if (name.length > MAX_NAME_LENGTH) return { code: 'long' }
  if (!NAME.test(name)) return { code: 'characters' }
  if (findVariable(document, name)) return { code: 'taken' }
  if (previous === undefined) return null
  const users = new Set(
    (usesOf(document, catalog).get(previous) ?? []).flatMap(({ kind, node }) =>
      kind === 'template' ? [node] : [],
    ),
  )
  for (const id of users) {
    const node = findNode(document, id)
    const isOwn = node && catalog.typeOf(node)?.inputs.some((port) => port.name === name)
    if (isOwn || connectedEnds(document).has(`${id}.${name}`)) return { code: 'input', node: id }
  }
  const connected = connectedEnds(document)
  const taken = document.nodes.find((node) =>
    freePlaceholders(node, document, catalog, connected).includes(name),
  )
  return taken ? { code: 'placeholder', node: taken.id } : null
}

/** The placeholders of a node that neither an input, an edge nor a variable fills. */
export function freePlaceholders(
  node: FlowNode,
  document: FlowDocument,
  catalog: Catalog,
  connected: ReadonlySet<string>,
): string[] {
  return templateUses(node, catalog.typeOf(node), connected).flatMap(({ name }) =>
    findVariable(document, name) ? [] : [name],
  )
}

/** A name for a new variable: of this text in lower case, and free. */
export function freshName(stem: string, taken: ReadonlySet<string>): string {
  const clean = stem.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^_+|_+$/g, '')
  const root = (/^[A-Za-z_]/.test(clean) ? clean : clean ? `v_${clean}` : 'variable').slice(0, 56)
  if (!taken.has(root)) return root
  let number = 2
  while (taken.has(`${root}_${number}`)) number++
  return `${root}_${number}`
}
