/** A workflow of ComfyUI, as "Export (API)" writes it, and which of its fields and nodes are ports. */

export interface ApiNode {
  readonly class_type: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly _meta?: { readonly title?: string }
}

export interface WorkflowInput {
  readonly port: string
  readonly name: string
  readonly node: string
  readonly field: string
}

export interface WorkflowOutput {
  readonly port: string
  readonly name: string
  readonly node: string
}

export interface ApiWorkflow {
  readonly nodes: Readonly<Record<string, ApiNode>>
  readonly inputs: readonly WorkflowInput[]
  readonly outputs: readonly WorkflowOutput[]
}

/** The ports of the node type: how many of each kind. */
export const INPUT_PORTS = { text: 8, number: 6, integer: 6, image: 4, video: 2, audio: 2 } as const
export const OUTPUT_PORTS = { images: 4, videos: 2, audios: 2 } as const
export type InputKind = keyof typeof INPUT_PORTS
export type OutputKind = keyof typeof OUTPUT_PORTS

export const MAX_BYTES = 500_000
const MAX_NODES = 500
const NOTHING: ApiWorkflow = { nodes: {}, inputs: [], outputs: [] }

export type ExportFault = 'notJson' | 'notApi' | 'tooLarge' | 'empty'

/** The nodes in the text of an export; a fault if it is none. */
export function parseExport(text: string): { nodes: ApiWorkflow['nodes'] } | { fault: ExportFault } {
  if (new Blob([text]).size > MAX_BYTES) return { fault: 'tooLarge' }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { fault: 'notJson' }
  }
  const found = isObject(parsed) && isObject(parsed.prompt) ? parsed.prompt : parsed
  if (!isObject(found) || Array.isArray(found.nodes)) return { fault: 'notApi' }
  const nodes = Object.entries(found)
  if (nodes.length === 0) return { fault: 'empty' }
  if (nodes.length > MAX_NODES) return { fault: 'tooLarge' }
  if (!nodes.every(([, node]) => isApiNode(node))) return { fault: 'notApi' }
  const title = (node: ApiNode) =>
    typeof node._meta?.title === 'string' ? { _meta: { title: node._meta.title } } : {}
  const kept = nodes.map(([id, node]) => {
    const { class_type, inputs } = node as ApiNode
    return [id, { class_type, inputs, ...title(node as ApiNode) }] as const
  })
  return { nodes: Object.fromEntries(kept) }
}

/** The value of the setting; null if it is another one. */
export function readWorkflow(value: unknown): ApiWorkflow | null {
  if (value === undefined || value === null) return NOTHING
  if (!isObject(value) || !isObject(value.nodes) || !Object.values(value.nodes).every(isApiNode)) return null
  const { inputs = [], outputs = [] } = value
  if (!isList(inputs, ['port', 'name', 'node', 'field']) || !isList(outputs, ['port', 'name', 'node']))
    return null
  return { nodes: value.nodes, inputs, outputs } as ApiWorkflow
}

/** The workflow with the nodes of another export. Inputs and outputs stay where their field and node do. */
export function withNodes(workflow: ApiWorkflow, nodes: ApiWorkflow['nodes']): ApiWorkflow {
  const inputs = workflow.inputs.filter(
    ({ node, field }) => nodes[node] && isLiteral(nodes[node].inputs[field]),
  )
  const outputs = workflow.outputs.filter(({ node }) => nodes[node])
  const next: ApiWorkflow = { nodes, inputs, outputs }
  if (outputs.length > 0) return next
  const saving = endsOf(nodes).filter((id) => /save|combine/i.test(nodes[id]?.class_type ?? ''))
  return saving.reduce(withOutput, next)
}

/** The nodes that no other node uses: those that can be outputs. */
export function endsOf(nodes: ApiWorkflow['nodes']): string[] {
  const links = Object.values(nodes).flatMap((node) => Object.values(node.inputs).filter(isLink))
  const used = new Set(links.map(([id]) => id))
  return Object.keys(nodes).filter((id) => !used.has(id))
}

/** The fields of a node that have a value of their own, by name. */
export function fieldsOf(node: ApiNode): [string, string | number][] {
  return Object.entries(node.inputs).filter((entry): entry is [string, string | number] =>
    isLiteral(entry[1]),
  )
}

export function titleOfNode(node: ApiNode): string {
  return node._meta?.title?.trim() || node.class_type
}

/** The kinds of input that a field can be, the likeliest first. */
export function kindsOf(node: ApiNode | undefined, field: string): readonly InputKind[] {
  const value = node?.inputs[field]
  if (typeof value === 'number')
    return Number.isInteger(value) ? ['integer', 'number'] : ['number', 'integer']
  const loaded = (['image', 'video', 'audio'] as const).find(
    (kind) =>
      new RegExp(`load.*${kind}`, 'i').test(node?.class_type ?? '') && /image|video|audio|file/.test(field),
  )
  return loaded ? [loaded, 'text'] : ['text', 'image', 'video', 'audio']
}

export function kindOf(port: string): string {
  return port.slice(0, port.lastIndexOf('_'))
}

export function inputAt(workflow: ApiWorkflow, node: string, field: string): WorkflowInput | undefined {
  return workflow.inputs.find((one) => one.node === node && one.field === field)
}

/** The workflow with a field as an input of its likeliest kind; unchanged if no port is left. */
export function withInput(workflow: ApiWorkflow, id: string, field: string): ApiWorkflow {
  const node = workflow.nodes[id]
  const free = kindsOf(node, field).flatMap((kind) => freePort(workflow, kind) ?? [])
  if (!node || !free[0] || inputAt(workflow, id, field)) return workflow
  const base = field === 'text' && node._meta?.title ? node._meta.title : words(field)
  const name = unused(base, workflow.inputs)
  return { ...workflow, inputs: [...workflow.inputs, { port: free[0], name, node: id, field }] }
}

export function withoutInput(workflow: ApiWorkflow, input: WorkflowInput): ApiWorkflow {
  return { ...workflow, inputs: workflow.inputs.filter((one) => one !== input) }
}

/** The workflow with an input or an output that has another name or port. */
export function withChanged<T extends WorkflowOutput>(
  workflow: ApiWorkflow,
  one: T,
  change: Partial<WorkflowOutput>,
): ApiWorkflow {
  const put = <U extends WorkflowOutput>(list: readonly U[]) =>
    list.map((other) => ((other as WorkflowOutput) === one ? { ...other, ...change } : other))
  return { ...workflow, inputs: put(workflow.inputs), outputs: put(workflow.outputs) }
}

/** The workflow with a node as an output; unchanged if no port is left. */
export function withOutput(workflow: ApiWorkflow, id: string): ApiWorkflow {
  const node = workflow.nodes[id]
  const kind = /audio/i.test(node?.class_type ?? '')
    ? 'audios'
    : /video|webm|vhs/i.test(node?.class_type ?? '')
      ? 'videos'
      : 'images'
  const port = freePort(workflow, kind)
  if (!node || !port) return workflow
  const name = unused(titleOfNode(node), workflow.outputs)
  return { ...workflow, outputs: [...workflow.outputs, { port, name, node: id }] }
}

export function withoutOutput(workflow: ApiWorkflow, output: WorkflowOutput): ApiWorkflow {
  return { ...workflow, outputs: workflow.outputs.filter((one) => one !== output) }
}

/** The first port of a kind that nothing uses; undefined if all are used. */
export function freePort(workflow: ApiWorkflow, kind: InputKind | OutputKind): string | undefined {
  const most = { ...INPUT_PORTS, ...OUTPUT_PORTS }[kind]
  const taken = new Set([...workflow.inputs, ...workflow.outputs].map(({ port }) => port))
  const ports = Array.from({ length: most }, (_, at) => `${kind}_${at + 1}`)
  return ports.find((port) => !taken.has(port))
}

function unused(name: string, others: readonly WorkflowOutput[]): string {
  const taken = new Set(others.map((one) => one.name))
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name} ${number}`)) number += 1
  return `${name} ${number}`
}

function words(field: string): string {
  const text = field.replaceAll('_', ' ').trim()
  return text ? (text[0] as string).toUpperCase() + text.slice(1) : field
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isApiNode(value: unknown): boolean {
  return isObject(value) && typeof value.class_type === 'string' && isObject(value.inputs)
}

function isLink(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string'
}

function isLiteral(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function isList(value: unknown, keys: readonly string[]): boolean {
  return (
    Array.isArray(value) &&
    value.every((one) => isObject(one) && keys.every((key) => typeof one[key] === 'string'))
  )
}
