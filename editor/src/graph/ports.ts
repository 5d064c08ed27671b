import { typeLabel } from '@/lib/humanize'
import { assetType, type Catalog, type NodeType, type PortType, type Schema } from './catalog'
import { type End, type FlowEdge, type FlowNode, parseEnd } from './document'

/** An end that an edge may have: a declared port, a `{{variable}}` of a template, or a setting. */
export interface Port {
  readonly name: string
  readonly title: string
  readonly help: string
  readonly type: string
  readonly list: boolean
  /** List depth of the values. */
  readonly depth: number
  readonly lazy: boolean
  readonly required: boolean
  readonly kind: 'port' | 'variable' | 'setting'
}

const VARIABLE = /\{\{\s*([A-Za-z_][\p{L}\p{N}_]*)\s*(?:\|[^{}]*)?\}\}/gu

export function variablesIn(text: unknown): string[] {
  if (typeof text !== 'string' || !text.includes('{{')) return []
  return [...new Set([...text.matchAll(VARIABLE)].map((match) => match[1] as string))]
}

/** The text with other placeholders; `replace` returns the new text of a placeholder, or null to keep it. */
export function mapPlaceholders(
  text: string,
  replace: (name: string, fallback: string | undefined) => string | null,
): string {
  return text.replace(VARIABLE, (source: string, name: string) => {
    const bar = source.indexOf('|')
    const fallback = bar < 0 ? undefined : source.slice(bar + 1, -2).trim()
    return replace(name, fallback) ?? source
  })
}

const NO_PORTS: readonly Port[] = []

/** The ports of a node, computed once per revision of it: thousands of edges ask for them after every edit. */
const known = { inputs: portMemory(), outputs: portMemory() }

function portMemory() {
  return new WeakMap<FlowNode, { readonly type: NodeType; readonly ports: readonly Port[] }>()
}

function remembered(
  memory: ReturnType<typeof portMemory>,
  node: FlowNode,
  type: NodeType,
  compute: (node: FlowNode, type: NodeType) => readonly Port[],
): readonly Port[] {
  const found = memory.get(node)
  if (found?.type === type) return found.ports
  const ports = compute(node, type)
  memory.set(node, { type, ports })
  return ports
}

/** The input ports of a node: those of its type and of list items, then one per template variable. */
export function inputPorts(node: FlowNode, type: NodeType | undefined): readonly Port[] {
  return type ? remembered(known.inputs, node, type, findInputs) : NO_PORTS
}

function findInputs(node: FlowNode, type: NodeType): readonly Port[] {
  const declared = portsOf(node, type, type.inputs)
  const taken = new Set(type.inputs.map((port) => port.name))
  const names = type.variables.flatMap((setting) => variablesIn(settingValue(node, type, setting)))
  const fresh = [...new Set(names)].filter((name) => !taken.has(name))
  return [...declared, ...fresh.map(variablePort)]
}

/** The output ports of a node. Those of list items follow the order of the items and have their names. */
export function outputPorts(node: FlowNode, type: NodeType | undefined): readonly Port[] {
  return type ? remembered(known.outputs, node, type, findOutputs) : NO_PORTS
}

function findOutputs(node: FlowNode, type: NodeType): readonly Port[] {
  return portsOf(node, type, type.outputs)
}

function portsOf(node: FlowNode, type: NodeType, declared: readonly PortType[]): Port[] {
  const ofItems = new Set(declared.flatMap((port) => port.item_of ?? []))
  const named = [...ofItems].flatMap((list) => portsOfItems(node, type, declared, list))
  return [...named, ...declared.filter((port) => !port.item_of).map(fromDeclared)]
}

/** The ports of the items in a list; `workflow.inputs` is the list `inputs` in the setting `workflow`. */
function portsOfItems(node: FlowNode, type: NodeType, declared: readonly PortType[], list: string): Port[] {
  const [setting = '', ...path] = list.split('.')
  const value = path.reduce<unknown>(
    (outer, key) => (outer as Record<string, unknown> | null | undefined)?.[key],
    settingValue(node, type, setting),
  )
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const seen = new Set<string>()
  return items.flatMap((item) => {
    const { port: name, name: title } = (item ?? {}) as { port?: unknown; name?: unknown }
    const port = declared.find((one) => one.item_of === list && one.name === name)
    if (!port || seen.has(port.name)) return []
    seen.add(port.name)
    const named = typeof title === 'string' && title.trim() ? { title: title.trim() } : {}
    return [{ ...fromDeclared(port), ...named }]
  })
}

/** The port of a setting, with the type of its schema; every setting can be connected, also one of an inner agent. */
export function settingPort(type: NodeType | undefined, name: string): Port | undefined {
  const inner = type?.agentInputs?.find((input) => input.isSetting && input.name === name)
  if (inner) return { ...fromDeclared(inner), kind: 'setting' }
  const schema = type?.settings.properties?.[name]
  if (!schema) return undefined
  const { type: valueType, list, depth } = typeOfSchema(schema)
  return {
    name,
    title: schema.title ?? name,
    help: schema.description ?? '',
    type: valueType,
    list,
    depth,
    lazy: false,
    required: false,
    kind: 'setting',
  }
}

/**
 * Every setting that an edge can drive: all but those whose name a port has. Of a node that runs an agent, those that
 * the agent offers.
 */
export function settingPorts(node: FlowNode, type: NodeType | undefined): Port[] {
  if (!type) return []
  const taken = new Set(inputPorts(node, type).map((port) => port.name))
  const names = type.subflow
    ? (type.agentInputs ?? []).filter((input) => input.isSetting).map(({ name }) => name)
    : Object.keys(type.settings.properties ?? {})
  return names.flatMap((name) => {
    const port = taken.has(name) ? undefined : settingPort(type, name)
    return port ? [port] : []
  })
}

export function targetPort(node: FlowNode, type: NodeType | undefined, name: string): Port | undefined {
  return inputPorts(node, type).find((port) => port.name === name) ?? settingPort(type, name)
}

export function sourcePort(node: FlowNode, type: NodeType | undefined, name: string): Port | undefined {
  return outputPorts(node, type).find((port) => port.name === name)
}

/** The settings that are drawn as ports because an edge is connected to them. */
export function drivenSettings(
  node: FlowNode,
  type: NodeType | undefined,
  edges: readonly FlowEdge[],
): Port[] {
  if (!type) return namesAt(edges, 'to', node.id).map(unknownPort)
  const shown = new Set(inputPorts(node, type).map((port) => port.name))
  return edges
    .map((edge) => parseEnd(edge.to))
    .filter((end) => end.node === node.id && !shown.has(end.port))
    .map((end) => settingPort(type, end.port) ?? lostInput(type, end.port))
    .filter((port): port is Port => port !== undefined)
}

/** The names of the settings among the ports of a card. */
export function settingNames(ports: readonly Port[]): string[] {
  return ports.filter((port) => port.kind === 'setting').map((port) => port.name)
}

/** The ports of a node whose type is not installed, derived from its edges. */
export function lostOutputs(node: FlowNode, edges: readonly FlowEdge[]): Port[] {
  return namesAt(edges, 'from', node.id).map(unknownPort)
}

function namesAt(edges: readonly FlowEdge[], side: 'from' | 'to', node: string): string[] {
  const ends = edges.map((edge) => parseEnd(edge[side])).filter((end) => end.node === node)
  return [...new Set(ends.map((end) => end.port))]
}

export function settingValue(node: FlowNode, type: NodeType, name: string): unknown {
  return name in node.settings ? node.settings[name] : type.settings.properties?.[name]?.default
}

/** The value type of a schema, and its list depth. */
export function typeOfSchema(schema: Schema): { type: string; list: boolean; depth: number } {
  const plain = withoutNull(schema)
  const declared = schema['x-type'] ?? plain['x-type']
  if (declared) return ofName(declared)
  if (plain.type === 'array' && plain.items) {
    const { type, depth } = typeOfSchema(plain.items)
    return { type, list: true, depth: depth + 1 }
  }
  const single = (type: string) => ({ type, list: false, depth: 0 })
  if (plain.type === 'object' && MEDIA.has(plain.title ?? '')) return single(plain.title as string)
  if (plain.properties?.asset_id) return single(assetKind(plain))
  return single(SCALARS[String(plain.type)] ?? scalarOfEnum(plain))
}

/** Parses a type as the catalog writes it, such as `list[list[Text]]`. */
function ofName(name: string): { type: string; list: boolean; depth: number } {
  const inner = /^list\[(.*)\]$/.exec(name)?.[1]
  if (inner === undefined) return { type: name, list: false, depth: 0 }
  const { type, depth } = ofName(inner)
  return { type, list: true, depth: depth + 1 }
}

/** The value type of a schema that references an asset, from its default media type. */
function assetKind(schema: Schema): string {
  return assetType(String(schema.properties?.media_type?.default ?? ''))
}

/** The non-null part of `T | null`; other unions are unchanged. */
export function withoutNull(schema: Schema): Schema {
  const options = (schema.anyOf ?? schema.oneOf)?.filter((option) => option.type !== 'null')
  if (options?.length === 1) return { ...schema, ...options[0], anyOf: undefined }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null')
    if (types.length === 1) return { ...schema, type: types[0] }
  }
  return schema
}

/** The label of a port's type, "Image" or "Images" for a list; `qualified` adds the package of a plugin's type. */
export function describePort(port: Pick<Port, 'type' | 'list'>, qualified = false): string {
  const label = typeLabel(port.type, port.list)
  const end = port.type.lastIndexOf('.')
  return qualified && end > 0 ? `${label} (${port.type.slice(0, end)})` : label
}

export function portAt(
  node: FlowNode | undefined,
  catalog: Catalog,
  end: End,
  side: 'source' | 'target',
): Port | undefined {
  if (!node) return undefined
  const type = catalog.typeOf(node)
  return side === 'source' ? sourcePort(node, type, end.port) : targetPort(node, type, end.port)
}

/** Whether two revisions of a node have the same ports, for all edges that there may be. */
export function hasSamePorts(one: FlowNode, other: FlowNode, catalog: Catalog): boolean {
  const [type, otherType] = [catalog.typeOf(one), catalog.typeOf(other)]
  if (type !== otherType) return false
  return (
    areSamePorts(inputPorts(one, type), inputPorts(other, type)) &&
    areSamePorts(outputPorts(one, type), outputPorts(other, type))
  )
}

function areSamePorts(ports: readonly Port[], others: readonly Port[]): boolean {
  return (
    ports.length === others.length &&
    ports.every((port, at) => {
      const other = others[at] as Port
      return (
        port.name === other.name &&
        port.type === other.type &&
        port.list === other.list &&
        port.depth === other.depth
      )
    })
  )
}

const MEDIA = new Set(['Image', 'Video', 'Audio', 'File', 'Brand'])

const SCALARS: Readonly<Record<string, string>> = {
  string: 'Text',
  integer: 'Integer',
  number: 'Number',
  boolean: 'Boolean',
  object: 'Json',
  array: 'Json',
}

function scalarOfEnum(schema: Schema): string {
  const values = schema.enum ?? []
  if (values.length > 0 && values.every((value) => typeof value === 'number')) return 'Number'
  return values.length > 0 && values.every((value) => typeof value === 'string') ? 'Text' : 'Any'
}

function fromDeclared(port: PortType): Port {
  return {
    name: port.name,
    title: port.title || port.name,
    help: port.help,
    type: port.type,
    list: port.list,
    depth: port.depth ?? Number(port.list),
    lazy: port.lazy ?? false,
    required: port.required ?? false,
    kind: 'port',
  }
}

/** An input that only an edge knows, because the agent no longer has it. */
function lostInput(type: NodeType, name: string): Port | undefined {
  return type.agentInputs ? { ...unknownPort(name), kind: 'setting' } : undefined
}

function unknownPort(name: string): Port {
  return { ...variablePort(name), type: 'Any', kind: 'port' }
}

function variablePort(name: string): Port {
  return {
    name,
    title: name,
    help: '',
    type: 'Text',
    list: false,
    depth: 0,
    lazy: false,
    required: false,
    kind: 'variable',
  }
}
