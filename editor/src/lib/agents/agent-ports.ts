import type { AgentInput, Ports, PortType, Schema } from '@/graph/catalog'
import type { FlowDetail } from '../api/flows'
import { type Field, fieldsOf, type InputsSchema } from '../launch/fields'

/**
 * A port per input node, titled by it; a port per result, titled by its node and, if that has several, by its port.
 * Settings that the agent offers are inputs, but no ports.
 */
export function portsOf(flow: Pick<FlowDetail, 'inputs' | 'results'>): Ports {
  const schema = flow.inputs as InputsSchema
  const fields = fieldsOf(schema)
  const agentInputs = fields.map((field) =>
    inputOf(field, String(schema.properties?.[field.id]?.['x-type'] ?? 'Any')),
  )
  const inputs = agentInputs.filter(({ isSetting }) => !isSetting)
  const names = resultNames(flow.results.map(({ node, port: name }) => [...node.split('/'), name]))
  const outputs = flow.results.map((result, at) => {
    const name = names[at] as string
    return { ...port(name, result.title, result.type, false), list: result.list, depth: Number(result.list) }
  })
  return { inputs, outputs, agentInputs }
}

function inputOf({ id, title, help, required, schema, exposed }: Field, type: string): AgentInput {
  return {
    ...port(id, exposed?.group ? `${exposed.group}: ${title}` : title, type, required),
    help,
    label: title,
    schema: schema as Schema,
    typeId: String(schema['x-node'] ?? ''),
    setting: exposed?.setting ?? id,
    isSetting: exposed !== null,
  }
}

/**
 * The names of results, each given as the nodes and the port that lead to it: the id of the node, followed by the name
 * inside that node if it has several.
 */
function resultNames(paths: readonly (readonly string[])[]): string[] {
  const names: string[] = []
  const groups = new Map<string, number[]>()
  for (const [at, [id = '']] of paths.entries()) {
    const members = groups.get(id)
    if (members) members.push(at)
    else groups.set(id, [at])
  }
  for (const [id, members] of groups) {
    const inner = members.length > 1 ? resultNames(members.map((at) => paths[at]?.slice(1) ?? [])) : []
    for (const [place, at] of members.entries()) names[at] = inner[place] ? `${id}.${inner[place]}` : id
  }
  return names
}

function port(name: string, title: string, type: string, required: boolean): PortType {
  const inner = /^list\[(.+)\]$/.exec(type)?.[1]
  const list = inner !== undefined
  return { name, title, help: '', type: inner ?? type, list, depth: Number(list), lazy: false, required }
}
