import { Catalog, type CatalogData, type NodeType } from '../../src/graph/catalog'
import { checkConnection } from '../../src/graph/connect'
import type { FlowDocument, FlowEdge } from '../../src/graph/document'
import { expect, test } from '../fixtures'

type Pair = { source: string; from: string; target: string; to: string }

/** The server lists at most 500 problems of a document, and a node may have several. */
const BATCH_SIZE = 80

test('the canvas allows exactly the connections that the server accepts', async ({
  server,
  token,
  request,
}) => {
  const headers = { Authorization: `Bearer ${token}` }
  const data = (await (await request.get(`${server.url}/api/v1/nodes/`, { headers })).json()) as CatalogData
  const catalog = new Catalog(data)
  const pairs = allPairs(data)
  expect(pairs.length).toBeGreaterThan(500)
  const mismatches: string[] = []
  for (let at = 0; at < pairs.length; at += BATCH_SIZE) {
    const batch = pairs.slice(at, at + BATCH_SIZE)
    const flow = flowOf(batch, catalog)
    const response = await request.post(`${server.url}/api/v1/flows/check`, { headers, data: flow })
    expect(response.status(), await response.text()).toBe(200)
    const problems: { code: string; node: string; port: string | null }[] = (await response.json()).problems
    const rejected = new Set(problems.filter(({ code }) => code === 'wrong_type').map(({ node }) => node))
    for (const [index, pair] of batch.entries()) {
      const end = { node: `t${index}`, port: pair.to }
      const unconnected: FlowDocument = { ...flow, edges: [] }
      const { allowed } = checkConnection(unconnected, catalog, { node: `s${index}`, port: pair.from }, end)
      if (allowed === rejected.has(end.node)) {
        mismatches.push(
          `${pair.source}.${pair.from} -> ${pair.target}.${pair.to}: canvas ${allowed ? 'allows' : 'refuses'}`,
        )
      }
    }
  }
  expect(mismatches).toEqual([])
})

function allPairs(data: CatalogData): Pair[] {
  const types = data.types.filter((type) => !type.subflow)
  const outputs = types.flatMap((type) => type.outputs.map((port) => ({ source: type.id, from: port.name })))
  const inputs = types.flatMap((type) => [
    ...type.inputs.map((port) => ({ target: type.id, to: port.name })),
    ...Object.keys(type.settings.properties ?? {}).map((to) => ({ target: type.id, to })),
  ])
  return outputs.flatMap((output) => inputs.map((input) => ({ ...output, ...input })))
}

function flowOf(pairs: readonly Pair[], catalog: Catalog): FlowDocument {
  const node = (id: string, type: string) => ({
    id,
    type,
    version: catalog.type(type)?.version ?? 1,
    settings: itemsOf(catalog.type(type)),
    position: { x: 0, y: 0 },
  })
  const nodes = pairs.flatMap((pair, at) => [node(`s${at}`, pair.source), node(`t${at}`, pair.target)])
  const edges: FlowEdge[] = pairs.map((pair, at) => ({
    from: `s${at}.${pair.from}`,
    to: `t${at}.${pair.to}`,
  }))
  return { format: 1, name: '', nodes, edges }
}

/** Settings with an item for each port of the type that exists only for one. */
function itemsOf(type: NodeType | undefined): Record<string, unknown> {
  const items: Record<string, { port: string }[]> = {}
  for (const { name, item_of } of type?.outputs ?? [])
    if (item_of) items[item_of] = [...(items[item_of] ?? []), { port: name }]
  return items
}
