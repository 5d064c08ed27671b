import type { Catalog } from '../catalog'
import { isEqual } from '../diff'
import { type FlowDocument, type FlowNode, type FlowVariable, variablesOf, withFormat } from '../document'
import { mapPlaceholders } from '../ports'
import {
  connectedEnds,
  endOfUse,
  findVariable,
  freePlaceholders,
  freshName,
  MAX_VARIABLES,
  openPlaceholders,
  templateSettings,
  textOfValue,
  withSettingAt,
} from '../variables'
import { disconnect } from './edges'
import { mapNodes } from './nodes'

/** Edits of the variables of a document, and of where nodes use them. */

export function addVariable(document: FlowDocument, variable: FlowVariable): FlowDocument {
  const variables = variablesOf(document)
  if (variables.length >= MAX_VARIABLES || findVariable(document, variable.name)) return document
  return withVariables(document, [...variables, variable])
}

/** Changes a variable; `undefined` removes an optional property. */
export function changeVariable(
  document: FlowDocument,
  name: string,
  change: { readonly [Key in keyof Omit<FlowVariable, 'name'>]?: FlowVariable[Key] | undefined },
): FlowDocument {
  const variables = variablesOf(document).map((variable) => {
    if (variable.name !== name) return variable
    const entries = Object.entries({ ...variable, ...change }).filter(([, value]) => value !== undefined)
    return Object.fromEntries(entries) as unknown as FlowVariable
  })
  return isEqual(variables, variablesOf(document)) ? document : withVariables(document, variables)
}

/** Moves a variable up or down in the list. */
export function moveVariable(document: FlowDocument, name: string, by: -1 | 1): FlowDocument {
  const variables = [...variablesOf(document)]
  const from = variables.findIndex((variable) => variable.name === name)
  const to = from + by
  if (from < 0 || to < 0 || to >= variables.length) return document
  const [moved] = variables.splice(from, 1)
  variables.splice(to, 0, moved as FlowVariable)
  return withVariables(document, variables)
}

/** Renames a variable and all its uses. */
export function renameVariable(
  document: FlowDocument,
  catalog: Catalog,
  from: string,
  to: string,
): FlowDocument {
  if (from === to || !findVariable(document, from) || findVariable(document, to)) return document
  const names = new Map([[from, to]])
  const renamed = renameUses(document, catalog, names)
  const variables = variablesOf(document).map((one) => (one.name === from ? { ...one, name: to } : one))
  return withVariables(renamed, variables)
}

/** Removes a variable; its value takes its place everywhere. */
export function removeVariable(document: FlowDocument, catalog: Catalog, name: string): FlowDocument {
  const variable = findVariable(document, name)
  if (!variable) return document
  const placed = withValueInPlace(document, catalog, variable)
  return withVariables(
    placed,
    variablesOf(document).filter((one) => one !== variable),
  )
}

/** Has a variable set a setting, instead of an edge; `undefined` ends that. */
export function setVariableUse(
  document: FlowDocument,
  id: string,
  setting: string,
  name: string | undefined,
): FlowDocument {
  const free = name
    ? document.edges
        .filter(({ to }) => to === endOfUse(id, setting))
        .reduce((flow, edge) => disconnect(flow, edge), document)
    : document
  return withFormat(
    mapNodes(free, (node) => {
      if (node.id !== id || node.variables?.[setting] === name) return node
      const { [setting]: _, ...others } = node.variables ?? {}
      return withUses(node, name ? { ...others, [setting]: name } : others)
    }),
  )
}

/** Sets which variables set the settings of a node. */
export function setUses(
  document: FlowDocument,
  id: string,
  uses: Readonly<Record<string, string>>,
): FlowDocument {
  return withFormat(mapNodes(document, (node) => (node.id === id ? withUses(node, uses) : node)))
}

/** Puts the value of a variable into one setting that it sets. */
export function placeValue(document: FlowDocument, id: string, setting: string): FlowDocument {
  return withFormat(
    mapNodes(document, (node) => {
      const name = node.id === id ? node.variables?.[setting] : undefined
      if (name === undefined) return node
      return placed(node, setting, findVariable(document, name))
    }),
  )
}

/** A document with the variables of copied nodes, and the nodes with their names. */
export interface CopiedVariables<Node extends FlowNode = FlowNode> {
  readonly document: FlowDocument
  readonly nodes: readonly Node[]
}

/**
 * Adds the variables of copied nodes to a document: one with the same type and value is used again, another one of the
 * same name is given a new name. Placeholders of the document that nothing fills stay open.
 */
export function copyVariables(
  document: FlowDocument,
  catalog: Catalog,
  nodes: readonly FlowNode[],
  variables: readonly FlowVariable[],
  connected: ReadonlySet<string> = new Set(),
): CopiedVariables {
  if (variables.length === 0) return { document, nodes }
  const edges = [...connected].map((to) => ({ from: '', to }))
  const fragment: FlowDocument = { format: 1, name: '', variables, nodes, edges }
  const taken = takenNames(document, fragment, catalog)
  const list = [...variablesOf(document)]
  const names = new Map<string, string>()
  const lost: FlowVariable[] = []
  for (const variable of variables) {
    const same = list.find(({ name }) => name === variable.name)
    if (same && same.type === variable.type && isEqual(same.value, variable.value)) continue
    if (list.length >= MAX_VARIABLES) {
      lost.push(variable)
      continue
    }
    const name = taken.has(variable.name) ? freshName(variable.name, taken) : variable.name
    taken.add(name)
    if (name !== variable.name) names.set(variable.name, name)
    list.push({ ...variable, name })
  }
  const full = lost.reduce((flow, one) => withValueInPlace(flow, catalog, one), fragment)
  return { document: withVariables(document, list), nodes: renameUses(full, catalog, names).nodes }
}

/** Names that a new variable cannot take: of variables, of open placeholders, and of inputs of nodes that use it. */
function takenNames(document: FlowDocument, fragment: FlowDocument, catalog: Catalog): Set<string> {
  const open = [document, fragment].flatMap((flow) => {
    const connected = connectedEnds(flow)
    return flow.nodes.flatMap((node) => freePlaceholders(node, flow, catalog, connected))
  })
  const inputs = fragment.nodes.flatMap((node) => catalog.typeOf(node)?.inputs ?? [])
  return new Set([...[...variablesOf(document), ...inputs].map(({ name }) => name), ...open])
}

export function withVariables(document: FlowDocument, variables: readonly FlowVariable[]): FlowDocument {
  const { variables: _, ...rest } = document
  return withFormat(variables.length > 0 ? { ...rest, variables } : rest)
}

/** The node with these uses of variables; the same without any. */
export function withUses(node: FlowNode, uses: Readonly<Record<string, string>>): FlowNode {
  const { variables: _, ...rest } = node
  return Object.keys(uses).length > 0 ? { ...rest, variables: uses } : rest
}

/** The document whose nodes use variables by other names. */
function renameUses(
  document: FlowDocument,
  catalog: Catalog,
  names: ReadonlyMap<string, string>,
): FlowDocument {
  if (names.size === 0) return document
  const filled = mapTemplates(document, catalog, (name, fallback) => {
    const next = names.get(name)
    return next === undefined ? null : `{{${next}${fallback === undefined ? '' : `|${fallback}`}}}`
  })
  return mapNodes(filled, (node) => {
    const uses = Object.entries(node.variables ?? {})
    if (!uses.some(([, name]) => names.has(name))) return node
    return withUses(node, Object.fromEntries(uses.map(([key, name]) => [key, names.get(name) ?? name])))
  })
}

function withValueInPlace(document: FlowDocument, catalog: Catalog, variable: FlowVariable): FlowDocument {
  const text = textOfValue(variable.value)
  const filled = mapTemplates(document, catalog, (name, fallback) =>
    name === variable.name ? text || (fallback ?? '') : null,
  )
  return mapNodes(filled, (node) =>
    Object.entries(node.variables ?? {})
      .filter(([, name]) => name === variable.name)
      .reduce((one, [setting]) => placed(one, setting, variable), node),
  )
}

function placed(node: FlowNode, setting: string, variable: FlowVariable | undefined): FlowNode {
  const { [setting]: _, ...others } = node.variables ?? {}
  const bare = withUses(node, others)
  if (!variable) return bare
  return { ...bare, settings: withSettingAt(node.settings, setting, variable.value) }
}

/** Maps over the placeholders that take variables. */
export function mapTemplates(
  document: FlowDocument,
  catalog: Catalog,
  replace: (name: string, fallback: string | undefined, node: FlowNode) => string | null,
): FlowDocument {
  const connected = connectedEnds(document)
  return mapNodes(document, (node) => {
    const type = catalog.typeOf(node)
    if (!type) return node
    let next = node
    for (const setting of templateSettings(type)) {
      const text = node.settings[setting]
      if (typeof text !== 'string') continue
      const open = new Set(openPlaceholders(node, type, setting, connected))
      if (open.size === 0) continue
      const filled = mapPlaceholders(text, (name, fallback) =>
        open.has(name) ? replace(name, fallback, node) : null,
      )
      if (filled !== text) next = { ...next, settings: { ...next.settings, [setting]: filled } }
    }
    return next
  })
}
