/** Which steps must be made afresh for a result to come out differently. */

import type { FlowDocument } from './expected'

function nodeOf(end: string): string {
  return end.slice(0, end.lastIndexOf('.'))
}

/** The step itself when it invents; else the nearest steps above it that do, with those between. */
export function freshFor(flow: FlowDocument, step: string, invents: (type: string) => boolean): string[] {
  const types = new Map((flow.nodes ?? []).map((node) => [node.id, node.type ?? '']))
  const fresh: string[] = []
  const seen = new Set<string>([step])
  const queue = [step]
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    fresh.push(id)
    if (invents(types.get(id) ?? '')) continue
    for (const edge of flow.edges ?? []) {
      const source = nodeOf(edge.from)
      if (nodeOf(edge.to) !== id || seen.has(source)) continue
      seen.add(source)
      queue.push(source)
    }
  }
  return fresh.some((id) => invents(types.get(id) ?? '')) ? fresh : [step]
}
