import { AGENT_VERSION, type AgentInput, type Catalog, type Ports } from './catalog'
import { type FlowDocument, type FlowEdge, type FlowNode, parseEnd } from './document'
import { agentValues } from './edits/agent-inputs'
import { setSetting } from './edits/nodes'

/** That the agent which a node runs was published after the version that the node holds. */
export interface AgentUpdate {
  readonly flow: string
  readonly from: number
  readonly to: number
}

/** The newer version of the agent that a node runs; null if it follows the newest, or holds it. */
export function updateOf(node: FlowNode, catalog: Catalog): AgentUpdate | null {
  const flow = catalog.subflowOf(node)
  const from = catalog.versionOf(node)
  const to = flow === null ? undefined : catalog.newestOf(flow)
  return flow !== null && from !== null && to && to > from ? { flow, from, to } : null
}

/** The nodes that an update can also be applied to: those that hold an older version of the same agent. */
export function outdatedNodes(document: FlowDocument, catalog: Catalog, update: AgentUpdate): string[] {
  return document.nodes.flatMap((node) => {
    const found = updateOf(node, catalog)
    return found?.flow === update.flow && found.to === update.to ? [node.id] : []
  })
}

/** Holds these nodes at a version of their agent; null has them follow the newest. */
export function holdAt(
  document: FlowDocument,
  nodes: readonly string[],
  version: number | null,
): FlowDocument {
  return nodes.reduce((flow, id) => setSetting(flow, id, AGENT_VERSION, version ?? undefined), document)
}

/** The inputs, settings and results of an agent that a newer version has, has no more, and has differently. */
export interface PortChanges {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
}

export function portChanges(before: Ports, after: Ports): PortChanges {
  const [old, fresh] = [inOrder(before), inOrder(after)]
  return {
    added: [...fresh].flatMap(([key, { title }]) => (old.has(key) ? [] : [title])),
    removed: [...old].flatMap(([key, { title }]) => (fresh.has(key) ? [] : [title])),
    changed: [...fresh].flatMap(([key, { title, content }]) => {
      const was = old.get(key)
      return was && was.content !== content ? [title] : []
    }),
  }
}

type Described = ReadonlyMap<string, { readonly title: string; readonly content: string }>

function inOrder({ inputs, outputs, agentInputs }: Ports): Described {
  const taken = agentInputs ?? inputs.map((port) => ({ ...port, schema: undefined }))
  return new Map([
    ...taken.map(({ name, title, type, required, schema }) => {
      const content = JSON.stringify([title, type, required, schema])
      return [`in ${name}`, { title, content }] as const
    }),
    ...outputs.map(({ name, title, type, list }) => {
      return [`out ${name}`, { title, content: JSON.stringify([title, type, list]) }] as const
    }),
  ])
}

/** What a node loses when its agent has these ports: edges, values, and settings that launchers are offered. */
export interface Losses {
  readonly edges: readonly FlowEdge[]
  /** The names of the inputs that have a value or are offered to launchers. */
  readonly settings: readonly string[]
}

export function lossesOf(document: FlowDocument, id: string, after: Ports): Losses {
  const node = document.nodes.find((one) => one.id === id)
  const inputs = new Set(
    (after.agentInputs ?? after.inputs).map(({ name }: AgentInput | Ports['inputs'][number]) => name),
  )
  const outputs = new Set(after.outputs.map(({ name }) => name))
  const named = node ? [...Object.keys(agentValues(node)), ...Object.keys(node.exposed ?? {})] : []
  return {
    edges: document.edges.filter((edge) => {
      const [from, to] = [parseEnd(edge.from), parseEnd(edge.to)]
      return (to.node === id && !inputs.has(to.port)) || (from.node === id && !outputs.has(from.port))
    }),
    settings: [...new Set(named)].filter((name) => !inputs.has(name)),
  }
}
