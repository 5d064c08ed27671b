import { AGENT_INPUTS } from '../catalog'
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
