import { describe, expect, it } from 'vitest'
import { SAMPLE, samplePort, sampleType } from '@/test/flow-samples'
import { assetType, Catalog, type NodeType } from './catalog'

const base = SAMPLE.type('number') as NodeType
const agent = sampleType('run_agent', { subflow: 'flow' })
const CATALOG = new Catalog({
  types: [agent, base],
  conversions: [{ from: 'Integer', to: 'Text' }],
  value_types: [],
  categories: [],
  broken: [],
})
const ports = { inputs: [samplePort('brief', 'Text')], outputs: [samplePort('slogan', 'Text')] }

describe('the catalog', () => {
  it('finds node types by id', () => {
    expect(CATALOG.type('number')?.id).toBe('number')
    expect(CATALOG.type('missing')).toBeUndefined()
    expect(CATALOG.typeOf({ type: 'missing', settings: {} })).toBeUndefined()
  })

  it('shows summaries without the marks of code', () => {
    const marked = { ...base, id: 'pick', summary: 'Reads `a` and `b.0`.', help: 'Reads `a`.' }
    const type = new Catalog({ ...CATALOG.data, types: [marked] }).type('pick')
    expect([type?.summary, type?.help]).toEqual(['Reads a and b.0.', 'Reads `a`.'])
  })

  it('converts only in the listed direction', () => {
    expect(CATALOG.canConvert('Integer', 'Text')).toBe(true)
    expect(CATALOG.canConvert('Text', 'Integer')).toBe(false)
  })

  it('gives a node that runs another agent the ports of that agent', () => {
    const node = { type: 'run_agent', settings: { flow: 'kit' } }
    expect(CATALOG.hasAgentPorts('kit')).toBe(false)
    expect(CATALOG.typeOf(node)).toMatchObject({ inputs: [], outputs: [] })
    const known = CATALOG.withAgentPorts('kit', ports)
    expect([known.hasAgentPorts('kit'), CATALOG.hasAgentPorts('kit')]).toEqual([true, false])
    expect(known.typeOf(node)).toEqual({ ...agent, ...ports })
    expect(known.typeOf({ ...node, settings: { flow: 'other' } })?.inputs).toEqual([])
    expect(known.typeOf({ type: 'number', settings: { flow: 'kit' } })?.inputs).toEqual(base.inputs)
  })

  it.each([
    [{ type: 'run_agent', settings: { flow: 'kit' } }, 'kit'],
    [{ type: 'run_agent', settings: { flow: '' } }, null],
    [{ type: 'run_agent', settings: { flow: { nodes: [] } } }, null],
    [{ type: 'run_agent', settings: {} }, null],
    [{ type: base.id, settings: { flow: 'kit' } }, null],
    [{ type: 'unknown', settings: { flow: 'kit' } }, null],
  ])('finds the agent that %j runs: %s', (node, agentId) => {
    expect(CATALOG.subflowOf(node)).toBe(agentId)
  })

  it('returns the same type for the same agent, so that a card is not drawn again', () => {
    const node = { type: 'run_agent', settings: { flow: 'kit' } }
    const known = CATALOG.withAgentPorts('kit', ports).withAgentPorts('more', { inputs: [], outputs: [] })
    expect(known.typeOf(node)).toBe(known.typeOf({ ...node }))
    expect(known.typeOf({ ...node, settings: { flow: 'more' } })).not.toBe(known.typeOf(node))
  })
})

it.each([
  ['image', 'Image'],
  ['image/png', 'Image'],
  ['video/mp4', 'Video'],
  ['audio', 'Audio'],
  ['application/pdf', 'File'],
  ['', 'File'],
])('an asset of the kind %j is of the type %s', (kind, type) => {
  expect(assetType(kind)).toBe(type)
})

it('a catalog with the newest version of an agent leaves the original as it was', () => {
  const known = CATALOG.withNewest('slogans', 3).withNewest('jugs', null)
  expect([known.newestOf('slogans'), known.newestOf('jugs'), known.newestOf('missing')]).toEqual([
    3,
    null,
    undefined,
  ])
  expect(CATALOG.newestOf('slogans')).toBeUndefined()
  expect(known.withAgentPorts('slogans', ports).newestOf('slogans')).toBe(3)
})

it('labels the choices of a provider with the titles of the providers', () => {
  const ui = { widget: 'select' }
  const settings = { type: 'object', properties: { size: {}, provider: { type: 'string', 'x-ui': ui } } }
  const catalog = new Catalog({
    ...CATALOG.data,
    types: [base, { ...base, id: 'paint', settings }],
    providers: [{ id: 'acme', title: 'Acme' }],
  })
  const provider = { type: 'string', 'x-ui': { ...ui, labels: { acme: 'Acme' } } }
  expect(catalog.type('paint')?.settings).toEqual({ type: 'object', properties: { size: {}, provider } })
  expect(catalog.type('number')).toBe(base)
})
