import { Catalog, type CatalogData } from '../../src/graph/catalog'
import { checkConnection } from '../../src/graph/connect'
import type { FlowDocument, FlowEdge } from '../../src/graph/document'
import { expect, test } from '../fixtures'

type Pair = { source: string; from: string; target: string; to: string }

/** Few enough that one document stays within what the server takes. */
const AT_ONCE = 1200

test('the canvas allows exactly the connections that the server compiles', async ({
  server,
  token,
  request,
}) => {
  const headers = { Authorization: `Bearer ${token}` }
  const data = (await (await request.get(`${server.url}/api/v1/nodes/`, { headers })).json()) as CatalogData
  const catalog = new Catalog(data)
  const pairs = everyPair(data)
  expect(pairs.length).toBeGreaterThan(500)
  const wrong: string[] = []
  for (let at = 0; at < pairs.length; at += AT_ONCE) {
    const some = pairs.slice(at, at + AT_ONCE)
    const flow = flowOf(some, catalog)
    const answer = await request.post(`${server.url}/api/v1/flows/check`, { headers, data: flow })
    expect(answer.status(), await answer.text()).toBe(200)
    const problems: { code: string; node: string; port: string | null }[] = (await answer.json()).problems
    const refused = new Set(problems.filter(({ code }) => code === 'wrong_type').map(({ node }) => node))
    for (const [index, pair] of some.entries()) {
      const end = { node: `t${index}`, port: pair.to }
      const bare: FlowDocument = { ...flow, edges: [] }
      const { allowed } = checkConnection(bare, catalog, { node: `s${index}`, port: pair.from }, end)
      if (allowed === refused.has(end.node)) {
        wrong.push(
          `${pair.source}.${pair.from} -> ${pair.target}.${pair.to}: canvas ${allowed ? 'allows' : 'refuses'}`,
        )
      }
    }
  }
  expect(wrong).toEqual([])
})

function everyPair(data: CatalogData): Pair[] {
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
    settings: {},
    position: { x: 0, y: 0 },
  })
  const nodes = pairs.flatMap((pair, at) => [node(`s${at}`, pair.source), node(`t${at}`, pair.target)])
  const edges: FlowEdge[] = pairs.map((pair, at) => ({
    from: `s${at}.${pair.from}`,
    to: `t${at}.${pair.to}`,
  }))
  return { format: 1, name: '', nodes, edges }
}
