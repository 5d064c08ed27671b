import { describe, expect, it } from 'vitest'
import { InvalidFlowError, parseDocument } from './parse'

describe('parseDocument', () => {
  it('fills in what an incomplete draft lacks', () => {
    const empty = { format: 1, name: '', nodes: [], edges: [] }
    expect(parseDocument({})).toEqual(empty)
    expect(parseDocument({ format: 'x', name: 3, nodes: null, edges: null })).toEqual(empty)
    expect(parseDocument({ nodes: [{ id: 'ask', type: 'user_prompt' }] }).nodes).toEqual([
      { id: 'ask', type: 'user_prompt', version: 1, settings: {}, position: { x: 0, y: 0 } },
    ])
  })

  it('keeps every key, also those of newer editors', () => {
    const document = {
      format: 1,
      name: 'Kit',
      later: { any: 1 },
      nodes: [{ id: 'a', type: 't', version: 2, settings: { n: 1 }, position: { x: 4, y: 5 }, color: 'red' }],
      edges: [{ from: 'a.output', to: 'a.input', label: 'x' }],
    }
    expect(parseDocument(document)).toEqual(document)
  })

  it('places nodes without a position in rows of eight', () => {
    const nodes = Array.from({ length: 17 }, (_, index) => ({ id: `n${index}`, type: 't' }))
    const places = parseDocument({ nodes }).nodes.map(({ position }) => position)
    expect([places[0], places[1], places[7]]).toEqual([
      { x: 0, y: 0 },
      { x: 300, y: 0 },
      { x: 2100, y: 0 },
    ])
    expect([places[8], places[16]]).toEqual([
      { x: 0, y: 240 },
      { x: 0, y: 480 },
    ])
    expect(parseDocument({ nodes: [{ id: 'a', type: 't', position: { x: 1 } }] }).nodes[0]?.position).toEqual(
      { x: 0, y: 0 },
    )
  })

  it.each([
    [null, 'the document is not a JSON object.'],
    [[], 'the document is not a JSON object.'],
    [{ format: 3 }, 'it has format 3; this editor reads up to 2.'],
    [{ variables: {} }, '"variables" is not a list.'],
    [{ variables: [3] }, 'variable 1 is not an object.'],
    [{ variables: [{ value: 3 }] }, 'variable 1 has no name.'],
    [{ nodes: {} }, '"nodes" is not a list.'],
    [{ edges: 'x' }, '"edges" is not a list.'],
    [{ nodes: [{ id: 'a', type: 't' }, 3] }, 'node 2 is not an object.'],
    [{ nodes: [{ id: 'a' }] }, 'node 1 has no id or no type.'],
    [{ nodes: [{ type: 't' }] }, 'node 1 has no id or no type.'],
    [{ edges: [[]] }, 'edge 1 is not an object.'],
    [{ edges: [{ from: 'a.b' }] }, 'edge 1 has no ends.'],
    [{ edges: [{ to: 'a.b' }] }, 'edge 1 has no ends.'],
  ])('refuses %j and says why', (data, reason) => {
    expect(() => parseDocument(data)).toThrow(new InvalidFlowError(reason))
  })
})
