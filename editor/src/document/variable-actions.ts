import { type FlowNode, type FlowVariable, findNode, variablesOf } from '@/graph/document'
import { addVariable, placeValue, setVariableUse } from '@/graph/edits/variables'
import { settingValue, withoutNull } from '@/graph/ports'
import type { SettingField } from '@/graph/setting-fields'
import { canHold, connectedEnds, freePlaceholders, freshName, typeOfValue, usesOf } from '@/graph/variables'
import { choicesOf, widgetOf } from '@/graph/widgets'
import type { Session } from './session'

/** Edits of variables that the panel, the inspector and the list of problems share. */

const MAX_CHOICES = 100

/** Adds a variable and opens it in the panel; `isExact` fills the placeholders of that name. Returns its name. */
export function insertVariable(session: Session, stem: string, value: unknown = '', isExact = false): string {
  const name = isExact ? stem : freeName(session, stem)
  session.edit((flow) => addVariable(flow, { name, type: typeOfValue(undefined, value), value }))
  session.flow.settle()
  showVariable(session, name)
  return name
}

/** Makes a variable of a setting's value and has it set that setting, as one undo step. */
export function variableFromSetting(
  session: Session,
  node: FlowNode,
  field: SettingField,
  use: string,
  value: unknown,
): void {
  const name = freeName(session, field.title.toLowerCase())
  const variable = variableOf(name, field, value)
  session.edit((flow) => setVariableUse(addVariable(flow, variable), node.id, use, name))
  session.flow.settle()
}

/** Adds the variable that a setting is set to but that the agent does not have. */
export function addMissingVariable(session: Session, node: FlowNode, setting: string): void {
  const name = node.variables?.[setting]
  const type = session.catalog.typeOf(node)
  if (name === undefined || !type) return
  const value = settingValue(node, type, setting)
  const known = canHold(value) ? value : ''
  const kind = typeOfValue(type.settings.properties?.[setting], known)
  session.edit((flow) => addVariable(flow, { name, type: kind, value: known }))
  session.flow.settle()
}

export function assignVariable(session: Session, node: string, setting: string, name: string): void {
  session.edit((flow) => setVariableUse(flow, node, setting, name))
  session.flow.settle()
}

/** The setting has the value of its variable from now on, and not the variable. */
export function detachVariable(session: Session, node: string, setting: string): void {
  session.edit((flow) => placeValue(flow, node, setting))
  session.flow.settle()
}

/** Opens the panel at a variable. */
export function showVariable(session: Session, name: string): void {
  session.view.setState({ dialog: 'variables', variable: name })
}

/** Selects the nodes that use a variable, and brings them into view. */
export function selectUses(session: Session, name: string): void {
  const uses = usesOf(session.document, session.catalog).get(name) ?? []
  const ids = [...new Set(uses.map(({ node }) => node))].filter((id) => findNode(session.document, id))
  session.view.select(ids)
  session.viewport?.fit(ids)
}

/** A name that no variable has and that no open placeholder would take. */
function freeName({ document, catalog }: Session, stem: string): string {
  const connected = connectedEnds(document)
  const open = document.nodes.flatMap((node) => freePlaceholders(node, document, catalog, connected))
  return freshName(stem, new Set([...variablesOf(document).map(({ name }) => name), ...open]))
}

function variableOf(name: string, { schema }: SettingField, value: unknown): FlowVariable {
  const type = typeOfValue(schema, value)
  const choices = choicesOf(withoutNull(schema))
  const isListed = type === 'Text' && choices.length > 0 && choices.length <= MAX_CHOICES
  return {
    name,
    type,
    value,
    ...(isListed && choices.includes(value as string) && { choices: choices.map(String) }),
    ...(type === 'Text' && widgetOf(schema) === 'colour' && { widget: 'colour' as const }),
  }
}
