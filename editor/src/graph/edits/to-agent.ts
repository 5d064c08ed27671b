import { CARD_SIZE } from '../card-size'
import { AGENT_VERSION, type Catalog, type NodeType } from '../catalog'
import { titleOf } from '../connect'
import {
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  feedingNodes,
  findNode,
  formatEnd,
  freshId,
  notesOf,
  type Point,
  parseEnd,
  withFormat,
} from '../document'
import { outputPorts, type Port, portAt } from '../ports'
import { variablesUsedBy } from '../variables'
import { groupNodes, removeNotes } from './annotations'
import { freePlace, GAP } from './free-place'
import { removeNodes } from './nodes'
import { extractFragment } from './paste'
import { offeredAgain, offering, type Promotion, promotedByDefault, promotionsOf } from './promotions'
import { withVariables } from './variables'

/** Nodes of an agent as an agent of their own: the inner document, and the outer one with a node that runs it. */
export interface Extraction {
  /** The document of the new agent. */
  readonly inner: FlowDocument
  /** The ids of the nodes that move into it. */
  readonly moved: ReadonlySet<string>
  /** The selected nodes that stay outside, since the agent is launched or fed through them. */
  readonly inputs: readonly FlowNode[]
  /** The settings that can be inputs of the new agent. */
  readonly offers: readonly Promotion[]
  /** The settings that launchers of the outer agent may set today, and can no longer. */
  readonly hidden: readonly { readonly node: string; readonly setting: string }[]
  /** The outer document, once the new agent has this id. Its node holds this version, or follows the newest. */
  outer(flowId: string, version: number | null): FlowDocument
}

/** Why nodes cannot become an agent. */
export type ExtractionRefusal =
  | { readonly code: 'onlyInputs' | 'noAgentType' }
  /** Paths leave the selection and return to it through these nodes. */
  | { readonly code: 'between'; readonly nodes: readonly string[] }
  /** No input node gives the type of this output. */
  | { readonly code: 'noInput'; readonly node: string; readonly port: string; readonly type: string }

/** An output outside that feeds the selection, and the input node of the new agent that stands for it. */
interface Entry {
  readonly from: string
  readonly node: FlowNode
  /** The output of the input node. */
  readonly output: string
}

/**
 * Makes an agent of the selected nodes. Each output outside that feeds them becomes an input of the agent, each of
 * their outputs that feeds a node outside becomes a result. Selected input nodes stay outside. The `promoted` settings
 * are inputs of the agent, in their order; by default those that launchers may set, and those driven from outside.
 */
export function toAgent(
  document: FlowDocument,
  catalog: Catalog,
  selected: ReadonlySet<string>,
  name: string,
  promoted?: readonly Promotion[],
): Extraction | ExtractionRefusal {
  const chosen = document.nodes.filter(({ id }) => selected.has(id))
  const isInput = (node: FlowNode) => Boolean(catalog.typeOf(node)?.input)
  const moved = new Set(chosen.filter((node) => !isInput(node)).map(({ id }) => id))
  const agent = catalog.types.find((type) => type.subflow && !type.deprecated)
  if (!agent?.subflow) return { code: 'noAgentType' }
  if (moved.size === 0) return { code: 'onlyInputs' }
  const between = nodesBetween(document, moved)
  if (between.length > 0) return { code: 'between', nodes: between }
  const offers = promotionsOf(document, catalog, moved)
  const isOffer = new Set(offers.map(endOf))
  const taken = (promoted ?? offers.filter(promotedByDefault)).filter((one) => isOffer.has(endOf(one)))
  const direct = new Set(taken.map(endOf))
  const entries = entriesOf(document, catalog, moved, direct)
  if ('code' in entries) return entries
  const exits = document.edges.filter((edge) => leaves(edge, moved))
  const made = { moved, selected, entries, exits, name, promoted: taken, direct }
  // An input is a copy of the one outside, whose text may name variables, too.
  const copied = new Set([...moved, ...entries.map(({ from }) => parseEnd(from).node)])
  const inner = withVariables(innerDocument(document, made), variablesUsedBy(document, catalog, copied))
  return {
    inner,
    moved,
    inputs: chosen.filter(isInput),
    offers,
    hidden: chosen.flatMap((node) =>
      moved.has(node.id)
        ? Object.keys(node.exposed ?? {})
            .map((setting) => ({ node: node.id, setting }))
            .filter((one) => !direct.has(endOf(one)))
        : [],
    ),
    outer: (flowId, version) => outerDocument(document, catalog, { ...made, agent, flowId, version }),
  }
}

export function isRefused(found: Extraction | ExtractionRefusal): found is ExtractionRefusal {
  return 'code' in found
}

const endOf = ({ node, setting }: Pick<Promotion, 'node' | 'setting'>) => formatEnd({ node, port: setting })

const enters = (edge: FlowEdge, moved: ReadonlySet<string>) =>
  moved.has(parseEnd(edge.to).node) && !moved.has(parseEnd(edge.from).node)

const leaves = (edge: FlowEdge, moved: ReadonlySet<string>) =>
  moved.has(parseEnd(edge.from).node) && !moved.has(parseEnd(edge.to).node)

/** The nodes outside that are both behind the selection and before it: around them the new node would be a cycle. */
function nodesBetween(document: FlowDocument, moved: ReadonlySet<string>): string[] {
  const behind = closure(document, moved, 'from', 'to')
  const before = closure(document, moved, 'to', 'from')
  return document.nodes.flatMap(({ id }) => (!moved.has(id) && behind.has(id) && before.has(id) ? [id] : []))
}

function closure(
  document: FlowDocument,
  start: ReadonlySet<string>,
  near: 'from' | 'to',
  far: 'from' | 'to',
): Set<string> {
  const next = new Map<string, string[]>()
  for (const edge of document.edges) {
    const key = parseEnd(edge[near]).node
    next.set(key, [...(next.get(key) ?? []), parseEnd(edge[far]).node])
  }
  const found = new Set(start)
  for (const id of found) for (const other of next.get(id) ?? []) found.add(other)
  return found
}

function entriesOf(
  document: FlowDocument,
  catalog: Catalog,
  moved: ReadonlySet<string>,
  direct: ReadonlySet<string>,
): readonly Entry[] | ExtractionRefusal {
  const taken = new Set(document.nodes.map(({ id }) => id))
  const entries: Entry[] = []
  const entering = new Map<string, FlowEdge[]>()
  for (const edge of document.edges) {
    if (enters(edge, moved) && !direct.has(edge.to))
      entering.set(edge.from, [...(entering.get(edge.from) ?? []), edge])
  }
  for (const [from, edges] of entering) {
    const end = parseEnd(from)
    const source = findNode(document, end.node)
    const port = portAt(source, catalog, end, 'source')
    const targets = edges.map((edge) => {
      const to = parseEnd(edge.to)
      return portAt(findNode(document, to.node), catalog, to, 'target')
    })
    const stand = source && inputNode(source, port, targets, catalog)
    const output = stand && catalog.type(stand.type)?.outputs[0]?.name
    if (!stand || !output) return { code: 'noInput', ...end, type: port?.type ?? 'Any' }
    const id = freshId(stand.title ?? end.node, taken)
    taken.add(id)
    entries.push({ from, node: { ...stand, id }, output })
  }
  return entries
}

/**
 * The input node that gives what an output gives: a copy of the source if that is an input itself, else one of the same
 * type, else one of the type that all its targets take.
 */
function inputNode(
  source: FlowNode,
  port: Port | undefined,
  targets: readonly (Port | undefined)[],
  catalog: Catalog,
): FlowNode | null {
  const own = catalog.typeOf(source)
  const title = titleOf(source, catalog)
  if (own?.input) return { ...withoutRun(source), title }
  const wanted = [port?.type, onlyOne(targets.map((target) => target?.type))]
  const type = wanted.flatMap((one) => (one ? (inputTypeOf(one, catalog) ?? []) : []))[0]
  if (!type) return null
  const several = outputPorts(source, own).length > 1
  return {
    id: source.id,
    type: type.id,
    version: type.version,
    settings: type.settings.properties?.[MAY_BE_EMPTY] ? { [MAY_BE_EMPTY]: true } : {},
    position: source.position,
    title: several && port ? `${title}: ${port.title}` : title,
  }
}

/** A prompt without words stops a run; what the outer agent passes on may be empty. */
const MAY_BE_EMPTY = 'may_be_empty'

/** A copy of an input node that says nothing of how the outer agent runs or shows it. */
function withoutRun({ mode: _, pin: __, result: ___, exposed: ____, ...node }: FlowNode): FlowNode {
  return node
}

/** The input node that gives single values of a type. */
function inputTypeOf(type: string, catalog: Catalog): NodeType | undefined {
  const gives = (one: NodeType) =>
    one.input && !one.deprecated && one.outputs.length === 1 && one.outputs[0]?.type === type
  const found = catalog.types.filter((one) => gives(one) && !one.outputs[0]?.list)
  return found.find((one) => one.id === PREFERRED) ?? found[0]
}

/** Of several that give text, the one that accepts any. */
const PREFERRED = 'user_prompt'

function onlyOne<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined
}

function innerDocument(document: FlowDocument, made: Made): FlowDocument {
  const { moved, selected, entries, exits, name, promoted, direct } = made
  const { nodes, groups = [] } = extractFragment(document, moved)
  const left = Math.min(...nodes.map(({ position }) => position.x))
  const top = Math.min(...nodes.map(({ position }) => position.y))
  const place = ({ x, y }: Point): Point => ({ x: x - left, y: y - top })
  const enabled = new Set(nodes.flatMap(({ id, mode }) => (mode === 'disabled' ? [] : [id])))
  const used = new Set(
    document.edges.flatMap(({ from, to }) => (enabled.has(parseEnd(to).node) ? [from] : [])),
  )
  const inputs = entries.map(({ from, node }, at) => ({
    ...node,
    // The node outside shows what this input passes on.
    ...(!used.has(from) && { result: false }),
    position: { x: -2 * CARD_SIZE.width, y: at * (CARD_SIZE.height + GAP) },
  }))
  const feeding = new Set(
    document.edges.filter(({ to }) => moved.has(parseEnd(to).node)).map(({ from }) => parseEnd(from).node),
  )
  const results = new Set(exits.map(({ from }) => parseEnd(from).node))
  const inside = offering(nodes, promoted).map((node) => ({
    ...node,
    position: place(node.position),
    ...(results.has(node.id) && (node.result === false || feeding.has(node.id)) && { result: true }),
  }))
  const sources = new Map(entries.map(({ from, node, output }) => [from, { node: node.id, port: output }]))
  // In the order of the document, which is the order of the values of a list.
  const edges = document.edges.flatMap((edge) => {
    if (!moved.has(parseEnd(edge.to).node)) return []
    if (direct.has(edge.to)) return []
    const source = sources.get(edge.from)
    return [source ? { ...edge, from: formatEnd(source) } : edge]
  })
  const notes = notesOf(document).filter(({ id }) => selected.has(id))
  const bare: FlowDocument = { format: document.format, name, nodes: [...inputs, ...inside], edges }
  const noted =
    notes.length > 0
      ? { ...bare, canvas: { notes: notes.map((note) => ({ ...note, position: place(note.position) })) } }
      : bare
  return groups.reduce((flow, { title, members }) => groupNodes(flow, members, title).document, noted)
}

/** What an agent is made of. */
interface Made {
  readonly moved: ReadonlySet<string>
  readonly selected: ReadonlySet<string>
  readonly entries: readonly Entry[]
  readonly exits: readonly FlowEdge[]
  readonly name: string
  readonly promoted: readonly Promotion[]
  /** The ends in the promoted settings: an edge from outside to one goes to the input of the agent. */
  readonly direct: ReadonlySet<string>
}

interface Replacement extends Made {
  readonly agent: NodeType
  readonly flowId: string
  readonly version: number | null
}

function outerDocument(document: FlowDocument, catalog: Catalog, made: Replacement): FlowDocument {
  const { moved, selected, entries, exits, agent, flowId, version, name, promoted, direct } = made
  const exposed = offeredAgain(document, promoted)
  const id = freshId(name, new Set(document.nodes.map((node) => node.id)))
  const feeding = feedingNodes(document)
  const isResult = (node: FlowNode) => node.result ?? !feeding.has(node.id)
  const showsResults = exits.length > 0 && document.nodes.some((node) => moved.has(node.id) && isResult(node))
  const inside = document.nodes.filter((node) => moved.has(node.id))
  const node: FlowNode = {
    id,
    type: agent.id,
    version: agent.version,
    settings: { [agent.subflow as string]: flowId, ...(version !== null && { [AGENT_VERSION]: version }) },
    title: name,
    position: freePlace(
      {
        x: mean(inside.map(({ position }) => position.x)),
        y: mean(inside.map(({ position }) => position.y)),
      },
      CARD_SIZE,
      document.nodes
        .filter((node) => !moved.has(node.id))
        .map(({ position }) => ({ ...position, ...CARD_SIZE })),
    ),
    ...(showsResults && { result: true }),
    ...(Object.keys(exposed).length > 0 && { exposed }),
  }
  const inputs = new Map(entries.map((entry) => [entry.from, entry.node.id]))
  const entered = new Set<string>()
  // Each edge stays in its place: the order of edges is the order of the values of a list.
  const edges = document.edges.flatMap((edge) => {
    if (leaves(edge, moved)) return [{ ...edge, from: formatEnd({ node: id, port: resultName(edge.from) }) }]
    if (!moved.has(parseEnd(edge.to).node)) return [edge]
    if (direct.has(edge.to)) return [{ ...edge, to: `${id}.${edge.to}` }]
    const input = inputs.get(edge.from)
    if (input === undefined || entered.has(edge.from)) return []
    entered.add(edge.from)
    return [{ from: edge.from, to: formatEnd({ node: id, port: input }) }]
  })
  const at = document.nodes.findIndex((one) => moved.has(one.id))
  // A node that feeds disabled nodes alone shows its result. The agent runs, whatever is disabled in it.
  const sources = new Set(
    document.edges.filter((edge) => enters(edge, moved)).map(({ from }) => parseEnd(from).node),
  )
  const kept = document.nodes.map((one) =>
    sources.has(one.id) && !feeding.has(one.id) ? { ...one, result: one.result ?? true } : one,
  )
  const nodes = kept.toSpliced(at, 0, node)
  const bare = removeNotes(removeNodes({ ...document, nodes }, moved), selected)
  return withFormat({ ...bare, edges })

  /** The name that a result of the agent has: its node's, followed by the port if the node has several. */
  function resultName(from: string): string {
    const end = parseEnd(from)
    const source = findNode(document, end.node)
    const isOnly = source && outputPorts(source, catalog.typeOf(source)).length === 1
    return isOnly ? end.node : from
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
