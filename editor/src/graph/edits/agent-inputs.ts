import { AGENT_INPUTS, type AgentInput } from '../catalog'
import type { FlowDocument, FlowNode } from '../document'
import { isRecord } from '../parse'
import { setSetting } from './nodes'

/** The values that a node has for the inputs of the agent that it runs, by name. */
export function agentValues(node: FlowNode): Readonly<Record<string, unknown>> {
  const values = node.settings[AGENT_INPUTS]
  return isRecord(values) ? values : {}
}

/** Sets the value of an input of the agent that a node runs; `undefined` applies that of the agent. */
export function setAgentValue(
  document: FlowDocument,
  id: string,
  name: string,
  value: unknown,
): FlowDocument {
  const node = document.nodes.find((one) => one.id === id)
  if (!node) return document
  const { [name]: before, ...others } = agentValues(node)
  if (Object.is(before, value)) return document
  const next = value === undefined ? others : { ...others, [name]: value }
  return setSetting(document, id, AGENT_INPUTS, Object.keys(next).length > 0 ? next : undefined)
}

/** What each input is called: by its label where no other has it, else with the title of its inner node. */
export function titlesOf(inputs: readonly AgentInput[]): ReadonlyMap<string, string> {
  const uses = new Map<string, number>()
  for (const { label } of inputs) uses.set(label, (uses.get(label) ?? 0) + 1)
  return new Map(inputs.map(({ name, label, title }) => [name, uses.get(label) === 1 ? label : title]))
}
