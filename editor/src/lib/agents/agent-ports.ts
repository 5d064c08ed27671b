import type { Ports, PortType } from '@/graph/catalog'
import type { FlowDetail } from '../api/flows'
import type { FieldSchema, InputsSchema } from '../launch/fields'

/** A port per input, titled by its node; a port per result, titled by its node and, if that has several, by its port. */
export function portsOf(flow: Pick<FlowDetail, 'inputs' | 'results'>): Ports {
  const { properties = {}, required: asked = [] } = flow.inputs as InputsSchema
  const required = new Set(asked)
  const inputs = Object.entries(properties).map(([name, schema]) =>
    port(name, titleOf(schema) ?? name, String(schema['x-type'] ?? 'Any'), required.has(name)),
  )
  const names = resultNames(flow.results.map(({ node, port: name }) => [...node.split('/'), name]))
  const outputs = flow.results.map((result, at) => {
    const name = names[at] as string
    return { ...port(name, result.title, result.type, false), list: result.list, depth: Number(result.list) }
  })
  return { inputs, outputs }
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

/** The title of an input; that of an exposed setting names its node too. */
function titleOf(schema: FieldSchema): string | undefined {
  const group = schema['x-group']
  return typeof group === 'string' ? `${group}: ${schema.title}` : schema.title
}

function port(name: string, title: string, type: string, required: boolean): PortType {
  const inner = /^list\[(.+)\]$/.exec(type)?.[1]
  const list = inner !== undefined
  return { name, title, help: '', type: inner ?? type, list, depth: Number(list), lazy: false, required }
}
