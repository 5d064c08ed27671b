import { ratioOf } from '@/lib/aspect-ratio'

/** The expected number and aspect ratio of results, computed from the flow before they exist. */

export interface FlowNode {
  id: string
  type?: string
  settings?: Record<string, unknown>
}

export interface FlowDocument {
  nodes?: FlowNode[]
  edges?: { from: string; to: string }[]
}

export interface Expected {
  count: number
  /** Width over height. */
  ratio: number | null
}

const NAMED_RATIOS = [1, 4 / 5, 5 / 4, 2 / 3, 3 / 2, 3 / 4, 4 / 3, 9 / 16, 16 / 9, 21 / 9, 1.91]
const RATIO_NAMES = ['1:1', '4:5', '5:4', '2:3', '3:2', '3:4', '4:3', '9:16', '16:9', '21:9', '1.91:1']

/** The common name of an aspect ratio; none for unusual ones. */
export function ratioName(ratio: number | null): string | null {
  if (ratio === null) return null
  const index = NAMED_RATIOS.findIndex((named) => Math.abs(ratio / named - 1) < 0.012)
  return RATIO_NAMES[index] ?? null
}

function nodeOf(end: string): string {
  return end.slice(0, end.lastIndexOf('.'))
}

function portOf(end: string): string {
  return end.slice(end.lastIndexOf('.') + 1)
}

class SettingsReader {
  private readonly nodes: Map<string, FlowNode>

  constructor(
    private readonly flow: FlowDocument,
    private readonly inputs: Record<string, unknown>,
  ) {
    this.nodes = new Map((flow.nodes ?? []).map((node) => [node.id, node]))
  }

  /** The value of a setting: that of its connected source, else that of the node. */
  setting(id: string, name: string): unknown {
    const driver = this.flow.edges?.find((edge) => edge.to === `${id}.${name}`)
    if (!driver) return this.nodes.get(id)?.settings?.[name]
    const source = nodeOf(driver.from)
    const settings = this.nodes.get(source)?.settings
    return this.inputs[source] ?? settings?.value ?? settings?.text
  }

  sources(id: string): string[] {
    const edges = this.flow.edges?.filter((edge) => nodeOf(edge.to) === id) ?? []
    return edges.filter((edge) => !this.drivesShape(edge.to)).map((edge) => nodeOf(edge.from))
  }

  private drivesShape(to: string): boolean {
    return ['aspect_ratio', 'n_images', 'width', 'height'].includes(portOf(to))
  }

  ratio(id: string): number | null {
    const named = ratioOf(this.setting(id, 'aspect_ratio') ?? this.setting(id, 'ratio'))
    if (named) return named
    const [width, height] = [this.setting(id, 'width'), this.setting(id, 'height')]
    return typeof width === 'number' && typeof height === 'number' ? ratioOf(width / height) : null
  }

  count(id: string): number | null {
    const count = Number(this.setting(id, 'n_images') ?? Number.NaN)
    return Number.isInteger(count) && count > 0 ? count : null
  }
}

/** Searches upstream of a result for the nearest node with a count or aspect ratio. */
export function expectedResult(
  flow: FlowDocument,
  node: string,
  inputs: Record<string, unknown> = {},
): Expected {
  const reader = new SettingsReader(flow, inputs)
  const seen = new Set<string>([node])
  let layer = [node]
  let [count, ratio]: [number | null, number | null] = [null, null]
  while (layer.length > 0 && (count === null || ratio === null)) {
    count ??= layer.map((id) => reader.count(id)).find((found) => found !== null) ?? null
    ratio ??= layer.map((id) => reader.ratio(id)).find((found) => found !== null) ?? null
    layer = layer.flatMap((id) => reader.sources(id)).filter((id) => !seen.has(id))
    for (const id of layer) seen.add(id)
  }
  return { count: count ?? 1, ratio }
}
