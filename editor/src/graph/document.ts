/** The flow document, format 1, or 2 with variables. Unknown keys are preserved. */
export interface Point {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export type Settings = Readonly<Record<string, unknown>>

export interface FlowNode {
  readonly id: string
  readonly type: string
  readonly version: number
  readonly settings: Settings
  readonly position: Point
  readonly title?: string
  /** The names of the variables that set settings, by setting; `inputs.x` is an input of the agent that it runs. */
  readonly variables?: Readonly<Record<string, string>>
  /** The settings that launchers of the agent may set, by name. */
  readonly exposed?: Readonly<Record<string, ExposedSetting>>
  readonly result?: boolean
  /** A run skips a disabled node with what needs it; a bypassed one passes its inputs on. */
  readonly mode?: 'disabled' | 'bypassed'
  /** Outputs that a run takes instead of calling the node. */
  readonly pin?: Pin
}

/** What the builder says of a setting that launchers may set: its label and help, and limits of its value. */
export interface ExposedSetting {
  readonly label?: string
  readonly help?: string
  readonly minimum?: number
  readonly maximum?: number
  /** The allowed values. */
  readonly choices?: readonly unknown[]
  /** The place in the form. */
  readonly order?: number
}

export interface PinnedOutput {
  /** The id of a value type. */
  readonly type: string
  /** Levels of lists around the values. */
  readonly depth: number
  readonly value: unknown
}

export interface Pin {
  readonly outputs: Readonly<Record<string, PinnedOutput>>
}

export type VariableType = 'Text' | 'Number' | 'Integer' | 'Boolean' | 'Json'

/** A named value that settings and templates of nodes use. */
export interface FlowVariable {
  readonly name: string
  readonly type: VariableType
  readonly value: unknown
  readonly description?: string
  /** The allowed values of a text. */
  readonly choices?: readonly string[]
  /** A text that is shown as a colour. */
  readonly widget?: 'colour'
}

export interface FlowEdge {
  readonly from: string
  readonly to: string
}

export interface Note {
  readonly id: string
  readonly text: string
  readonly position: Point
  readonly size: Size
  readonly pigment: string
}

export interface Group {
  readonly id: string
  readonly title: string
  readonly members: readonly string[]
  readonly pigment: string
}

export interface Annotations {
  readonly notes?: readonly Note[]
  readonly groups?: readonly Group[]
}

export interface FlowDocument {
  readonly format: number
  readonly name: string
  readonly variables?: readonly FlowVariable[]
  readonly nodes: readonly FlowNode[]
  readonly edges: readonly FlowEdge[]
  readonly canvas?: Annotations
}

/** One end of an edge: a port (or a setting) of a node. */
export interface End {
  readonly node: string
  readonly port: string
}

/** The newest format that the editor reads. */
export const DOCUMENT_FORMAT = 2

/** The format of a document without variables, which older servers read, too. */
export const PLAIN_FORMAT = 1

/** The document in the oldest format that has all of it. */
export function withFormat(document: FlowDocument): FlowDocument {
  const isUsed = variablesOf(document).length > 0 || document.nodes.some((node) => node.variables)
  const format = isUsed ? DOCUMENT_FORMAT : Math.min(document.format, PLAIN_FORMAT)
  return format === document.format ? document : { ...document, format }
}

/** The same list for every document, so that what selects it does not render again. */
const NO_VARIABLES: readonly FlowVariable[] = []

export function variablesOf(document: FlowDocument): readonly FlowVariable[] {
  return document.variables ?? NO_VARIABLES
}

/** The first dot separates node and port: ids contain no dots, ports of an agent may. */
export function parseEnd(text: string): End {
  const dot = text.indexOf('.')
  return dot < 0 ? { node: text, port: '' } : { node: text.slice(0, dot), port: text.slice(dot + 1) }
}

export function formatEnd(end: End): string {
  return `${end.node}.${end.port}`
}

export function edgeId(edge: FlowEdge): string {
  return `${edge.from}>${edge.to}`
}

export function findNode(document: FlowDocument, id: string): FlowNode | undefined {
  return document.nodes.find((node) => node.id === id)
}

/** The nodes that feed others. Edges to disabled nodes do not count: a node that has no others shows its result. */
export function feedingNodes({ nodes, edges }: Pick<FlowDocument, 'nodes' | 'edges'>): Set<string> {
  const disabled = new Set(nodes.flatMap(({ id, mode }) => (mode === 'disabled' ? [id] : [])))
  return new Set(
    edges.flatMap(({ from, to }) => (disabled.has(parseEnd(to).node) ? [] : [parseEnd(from).node])),
  )
}

export function notesOf(document: FlowDocument): readonly Note[] {
  return document.canvas?.notes ?? []
}

export function groupsOf(document: FlowDocument): readonly Group[] {
  return document.canvas?.groups ?? []
}

/** Whether two documents are equal, regardless of the order of keys. */
export function sameContent(one: FlowDocument, other: FlowDocument): boolean {
  return one === other || canonical(one) === canonical(other)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/** The first free id of `write`, `write_2`, `write_3`: readable, since people read ids in files. */
export function freshId(stem: string, taken: ReadonlySet<string>): string {
  const clean = stem.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '') || 'node'
  if (!taken.has(clean)) return clean
  const root = clean.replace(/_\d+$/, '') || clean
  let number = 2
  while (taken.has(`${root}_${number}`)) number++
  return `${root}_${number}`
}
