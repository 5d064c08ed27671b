import type { APIRequestContext } from '@playwright/test'
import { Catalog, type CatalogData, type NodeType, type PortType } from '../../src/graph/catalog'
import { checkConnection } from '../../src/graph/connect'
import type { FlowDocument, FlowEdge } from '../../src/graph/document'
import { settingPort } from '../../src/graph/ports'
import { expect, type Server, keptTest as test } from '../fixtures'

type Pair = { source: string; from: string; target: string; to: string }

/** The server lists at most 500 problems of a document, and a node may have several. */
const BATCH_SIZE = 80

test('the canvas allows exactly the connections that the server accepts, for each kind of port', async ({
  server,
  token,
  request,
}) => {
  await expectSameRules({ server, token, request }, (pairs, catalog) => {
    const first = new Map(pairs.toReversed().map((pair) => [kindsOf(pair, catalog), pair]))
    return [...first.values()]
  })
})

test('the canvas allows exactly the connections that the server accepts, for each port', {
  tag: '@thorough',
}, async ({ server, token, request }) => {
  await expectSameRules({ server, token, request }, (pairs) => pairs)
})

type Context = { server: Server; token: string; request: APIRequestContext }

/** Asks canvas and server about the pairs that `choose` keeps. */
async function expectSameRules(
  { server, token, request }: Context,
  choose: (pairs: Pair[], catalog: Catalog) => Pair[],
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  const data = (await (await request.get(`${server.url}/api/v1/nodes/`, { headers })).json()) as CatalogData
  const catalog = new Catalog(data)
  const pairs = choose(allPairs(data), catalog)
  expect(pairs.length).toBeGreaterThan(100)
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
}

/** What the rules about a pair depend on: the ports at its ends, and whether a setting is one. */
function kindsOf({ source, from, target, to }: Pair, catalog: Catalog): string {
  const output = catalog.type(source)?.outputs.find(({ name }) => name === from)
  const type = catalog.type(target)
  const input = type?.inputs.find(({ name }) => name === to)
  const ports = [output, input ?? settingPort(type, to)]
  const facts = ports.map((port) => port && [port.type, port.list, port.depth, port.lazy])
  return JSON.stringify([facts, !input, output?.item_of, input?.item_of])
}

function allPairs(data: CatalogData): Pair[] {
  const types = data.types.filter((type) => !type.subflow)
  const outputs = types.flatMap((type) =>
    distinct(type.outputs).map((port) => ({ source: type.id, from: port.name })),
  )
  const inputs = types.flatMap((type) => [
    ...distinct(type.inputs).map((port) => ({ target: type.id, to: port.name })),
    ...Object.keys(type.settings.properties ?? {}).map((to) => ({ target: type.id, to })),
  ])
  return outputs.flatMap((output) => inputs.map((input) => ({ ...output, ...input })))
}

/** The ports without those that differ from an earlier one only in the item that they exist for. */
function distinct(ports: readonly PortType[]): PortType[] {
  const kindOf = ({ item_of, type, list, depth }: PortType) => `${item_of} ${type} ${list} ${depth}`
  const first = new Map(ports.toReversed().map((port) => [kindOf(port), port]))
  return ports.filter((port) => !port.item_of || first.get(kindOf(port)) === port)
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

/** Settings with an item for each port of the type that exists only for one, in a list that may be inside an object. */
function itemsOf(type: NodeType | undefined): Record<string, unknown> {
  const settings: Record<string, unknown> = {}
  for (const { name, item_of } of [...(type?.inputs ?? []), ...(type?.outputs ?? [])]) {
    const path = item_of?.split('.') ?? []
    const last = path.pop()
    if (last === undefined) continue
    let holder = settings
    for (const key of path) {
      holder[key] ??= {}
      holder = holder[key] as Record<string, unknown>
    }
    holder[last] = [...((holder[last] as unknown[] | undefined) ?? []), { port: name }]
  }
  return settings
}
