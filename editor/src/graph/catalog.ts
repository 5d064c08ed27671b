/** The node types as the server describes them. */
export interface PortType {
  readonly name: string
  readonly title: string
  readonly help: string
  readonly type: string
  readonly list: boolean
  /** List depth; 1 when only `list` is given. */
  readonly depth?: number
  readonly lazy?: boolean
  readonly required?: boolean
  /** The list setting with an item for this output, whose `port` is its name and whose `name` is its title. */
  readonly item_of?: string | null
}

export interface UiHints {
  readonly widget?: string | null
  /** Whether the server provides choices, or the setting whose choices apply: `fonts`, `brand_system.fonts`. */
  readonly options?: boolean | string
  readonly order?: number
  readonly group?: string | null
  readonly advanced?: boolean
  /** The values of other settings while which the field is shown. */
  readonly shown_if?: Readonly<Record<string, unknown>>
  readonly main?: boolean
  readonly unit?: string | null
  readonly placeholder?: string | null
  readonly step?: number | null
  /** Labels of choices, by value; `Catalog` adds those of providers. */
  readonly labels?: Readonly<Record<string, string>>
}

export interface Schema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
  readonly 'x-ui'?: UiHints
  readonly 'x-type'?: string
}

/** An input of the agent that a node runs: an input node of it, or a setting that it offers. */
export interface AgentInput extends PortType {
  /** The title without that of the inner node. */
  readonly label: string
  readonly schema: Schema
  /** The id of the inner node's type and the setting of it that the value replaces. */
  readonly typeId: string
  readonly setting: string
  /** Whether it is a setting, which is a port only while an edge drives it. */
  readonly isSetting: boolean
}

export interface NodeType {
  readonly id: string
  readonly version: number
  readonly title: string
  readonly category: string
  readonly summary: string
  readonly help: string
  readonly inputs: readonly PortType[]
  readonly outputs: readonly PortType[]
  readonly settings: Schema
  readonly input: string | null
  readonly variables: readonly string[]
  /** Other words that a search finds it by. */
  readonly keywords?: readonly string[]
  readonly generative: boolean
  readonly streams: boolean
  readonly beta: boolean
  readonly deprecated: boolean
  readonly replaced_by: string | null
  /** The setting that contains or names another flow, whose inputs and results are the ports of this node. */
  readonly subflow?: string | null
  /** The inputs of that flow, in the order of its form; only of a type with the ports of an actual node. */
  readonly agentInputs?: readonly AgentInput[]
  readonly package?: string
}

export interface Conversion {
  readonly from: string
  readonly to: string
}

export interface BrokenPlugin {
  readonly name: string
  readonly package?: string | null
  readonly error: string
  readonly traceback?: string
}

/** What a plugin declares to need beyond computing. */
export interface PluginDeclaration {
  readonly network: readonly string[]
  readonly subprocess: boolean
  readonly files: { readonly read: readonly string[]; readonly write: readonly string[] }
  readonly environment: readonly string[]
}

/** An installed plugin other than Impasto itself; `capabilities` is null if it declares nothing. */
export interface Plugin {
  readonly package: string
  readonly version: string
  readonly capabilities: PluginDeclaration | null
}

/** An installed plugin that the operator has not admitted. */
export interface RefusedPlugin {
  readonly package: string
  readonly reason: string
  readonly hint: string
}

export interface CatalogData {
  readonly types: readonly NodeType[]
  readonly conversions: readonly Conversion[]
  readonly value_types: readonly string[]
  readonly categories: readonly string[]
  readonly broken: readonly BrokenPlugin[]
  readonly plugins?: readonly Plugin[]
  readonly refused?: readonly RefusedPlugin[]
  readonly providers?: readonly { readonly id: string; readonly title: string }[]
}

/** The inputs and results of another agent, as ports of the node that runs it. */
export type Ports = Pick<NodeType, 'inputs' | 'outputs' | 'agentInputs'>

/** The setting with the values that a node has for the inputs of the agent that it runs, by name. */
export const AGENT_INPUTS = 'inputs'

/** The setting that holds a node at one published version of the agent that it runs; without it, the newest. */
export const AGENT_VERSION = 'version'

/** What names the ports of an agent, or of one version of it. */
export function agentKey(flow: string, version: number | null): string {
  return version === null ? flow : `${flow}@${version}`
}

/** The node types, with indexed lookups for the canvas. */
export class Catalog {
  readonly types: readonly NodeType[]
  private readonly byId: ReadonlyMap<string, NodeType>
  private readonly conversions: ReadonlySet<string>

  private readonly typesWithAgentPorts = new Map<string, NodeType>()

  constructor(
    readonly data: CatalogData,
    private readonly agents: ReadonlyMap<string, Ports> = new Map(),
    private readonly newest: ReadonlyMap<string, number | null> = new Map(),
  ) {
    const titles = Object.fromEntries((data.providers ?? []).map(({ id, title }) => [id, title]))
    this.types = data.types.map((type) => withPlainSummary(withProviderTitles(type, titles)))
    this.byId = new Map(this.types.map((type) => [type.id, type]))
    this.conversions = new Set(data.conversions.map(({ from, to }) => `${from}>${to}`))
  }

  type(id: string): NodeType | undefined {
    return this.byId.get(id)
  }

  /** The type of a node with its actual ports: a node that runs another agent has the ports of that agent. */
  typeOf(node: { readonly type: string; readonly settings: Readonly<Record<string, unknown>> }) {
    const type = this.byId.get(node.type)
    const flow = this.subflowOf(node)
    const agent = flow === null ? '' : agentKey(flow, this.versionOf(node))
    const ports = this.agents.get(agent)
    if (!type || !ports) return type
    const key = `${type.id} ${agent}`
    const known = this.typesWithAgentPorts.get(key) ?? { ...type, ...ports }
    this.typesWithAgentPorts.set(key, known)
    return known
  }

  /** The id of the agent that a node runs; null if it runs none, or one stored in the node itself. */
  subflowOf(node: {
    readonly type: string
    readonly settings: Readonly<Record<string, unknown>>
  }): string | null {
    const setting = this.byId.get(node.type)?.subflow
    const flow = setting ? node.settings[setting] : null
    return typeof flow === 'string' && flow ? flow : null
  }

  /** The version at which a node holds the agent that it runs; null if it follows the newest. */
  versionOf(node: { readonly settings: Readonly<Record<string, unknown>> }): number | null {
    const version = node.settings[AGENT_VERSION]
    return typeof version === 'number' ? version : null
  }

  /** The newest published version of an agent; null if it has none, undefined if the user cannot read the agent. */
  newestOf(flow: string): number | null | undefined {
    return this.newest.get(flow)
  }

  hasAgentPorts(flow: string): boolean {
    return this.agents.has(flow)
  }

  /** A copy of the catalog with the ports of one more agent, or of a version of it, by `agentKey`. */
  withAgentPorts(key: string, ports: Ports): Catalog {
    return new Catalog(this.data, new Map(this.agents).set(key, ports), this.newest)
  }

  /** A copy of the catalog that knows the newest version of an agent. */
  withNewest(flow: string, version: number | null): Catalog {
    return new Catalog(this.data, this.agents, new Map(this.newest).set(flow, version))
  }

  /** Whether a value of one type is converted into the other automatically on an edge. */
  canConvert(from: string, to: string): boolean {
    return this.conversions.has(`${from}>${to}`)
  }
}

/** The summary is one line of the Markdown in which `help` is written: without its marks of code, which are not drawn. */
function withPlainSummary(type: NodeType): NodeType {
  return type.summary.includes('`') ? { ...type, summary: type.summary.replaceAll('`', '') } : type
}

/** Labels the choices of the setting `provider`, whose values are the ids of providers. */
function withProviderTitles(type: NodeType, titles: Readonly<Record<string, string>>): NodeType {
  const setting = type.settings.properties?.provider
  if (!setting) return type
  const labeled: Schema = { ...setting, 'x-ui': { ...setting['x-ui'], labels: titles } }
  return {
    ...type,
    settings: { ...type.settings, properties: { ...type.settings.properties, provider: labeled } },
  }
}

export const EMPTY_CATALOG = new Catalog({
  types: [],
  conversions: [],
  value_types: [],
  categories: [],
  broken: [],
})

const TYPES = { image: 'Image', video: 'Video', audio: 'Audio' } as const

export type AssetType = (typeof TYPES)[keyof typeof TYPES] | 'File'

/** The value type of an asset by its kind or media type; `File` for any other. */
export function assetType(kind: string): AssetType {
  return TYPES[kind.split('/')[0] as keyof typeof TYPES] ?? 'File'
}
