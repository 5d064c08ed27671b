import type { Catalog, NodeType } from '../catalog'
import { type FlowDocument, type FlowNode, type FlowVariable, variablesOf } from '../document'
import { mapPlaceholders, settingValue, variablesIn } from '../ports'
import {
  connectedEnds,
  findVariable,
  freePlaceholders,
  freshName,
  MAX_VALUE_LENGTH,
  openPlaceholders,
  templateSettings,
  textOfValue,
} from '../variables'
import { withUses } from './variables'

/** Nodes whose texts no variable of another document changes, and variables that hold texts as they are. */
export interface IsolatedTexts {
  readonly nodes: readonly FlowNode[]
  readonly literals: readonly FlowVariable[]
}

/**
 * Keeps the texts of an inner agent as they are among the variables of the outer one. A placeholder of a template that
 * an outer variable would fill is given a new name. The text of an input that has one becomes the value of a variable,
 * since values are not templates, and so does a text that the outer node gives.
 */
export function withLiterals(
  inner: FlowDocument,
  outer: FlowDocument,
  catalog: Catalog,
  holder: FlowNode,
): IsolatedTexts {
  const theirs = new Set(variablesOf(outer).map(({ name }) => name))
  const own = new Set(variablesOf(inner).map(({ name }) => name))
  if (theirs.size + own.size === 0) return { nodes: inner.nodes, literals: [] }
  const connected = connectedEnds(inner)
  const given = (holder.settings.inputs ?? {}) as Readonly<Record<string, unknown>>
  const literals: FlowVariable[] = []
  const open = inner.nodes.flatMap((node) => freePlaceholders(node, inner, catalog, connected))
  const nodes = inner.nodes.map((node) => {
    const type = catalog.typeOf(node)
    if (!type) return node
    return templateSettings(type).reduce((one, setting) => sealed(one, type, setting), node)
  })
  return { nodes, literals }

  function sealed(node: FlowNode, type: NodeType, setting: string): FlowNode {
    const isGiven = setting === type.input && node.id in given
    const names = openPlaceholders(node, type, setting, connected)
    const risky = names.filter((name) => (own.has(name) ? isGiven : theirs.has(name)))
    if (risky.length === 0) return node
    const text = String(settingValue(node, type, setting))
    if (type.variables.includes(setting)) return withNewNames(node, type, setting, text, risky)
    const value = isGiven ? text : filled(text)
    if (value.length > MAX_VALUE_LENGTH) return node
    const taken = new Set([...theirs, ...own, ...open, ...literals.map((one) => one.name)])
    const name = freshName('text', taken)
    literals.push({ name, type: 'Text', value })
    return withUses(node, { ...node.variables, [setting]: name })
  }

  function withNewNames(
    node: FlowNode,
    type: NodeType,
    setting: string,
    text: string,
    risky: readonly string[],
  ): FlowNode {
    const inputs = type.inputs.map(({ name }) => name)
    const taken = new Set([...theirs, ...own, ...open, ...variablesIn(text), ...inputs])
    const names = new Map(
      risky.map((name) => {
        const next = freshName(name, taken)
        taken.add(next)
        return [name, next]
      }),
    )
    const renamed = mapPlaceholders(text, (name, fallback) => {
      const next = names.get(name)
      return next === undefined ? null : `{{${next}${fallback === undefined ? '' : `|${fallback}`}}}`
    })
    return { ...node, settings: { ...node.settings, [setting]: renamed } }
  }

  function filled(text: string): string {
    return mapPlaceholders(text, (name, fallback) => {
      const variable = findVariable(inner, name)
      return variable ? textOfValue(variable.value) || (fallback ?? '') : null
    })
  }
}
