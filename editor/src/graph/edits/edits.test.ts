import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyEdit as edits } from '@/test/flow-edits'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { cardSize } from '../card-size'
import { type FlowNode, findNode, groupsOf, type Point, parseEnd } from '../document'
import { layOut } from '../layout'
import { parseDocument } from '../parse'
import { align, distribute } from './arrange'
import { addInto, bridge, connect, disconnect, freeFor, insertInto, reconnect } from './edges'
import { addNode, moveNodes, removeNodes, renameNode, setResult, setSetting } from './nodes'
import { paste } from './paste'

describe('any sequence of edits', () => {
  it('leaves no dangling edge, duplicate id, second edge into a single input or empty group', () => {
    fc.assert(
      fc.property(fc.array(edits, { maxLength: 40 }), (sequence) => {
        const flow = sequence.reduce((document, edit) => edit(document), sampleFlow())
        const ids = flow.nodes.map((node) => node.id)
        expect(new Set(ids).size).toBe(ids.length)
        for (const edge of flow.edges) {
          expect(ids).toContain(parseEnd(edge.from).node)
          expect(ids).toContain(parseEnd(edge.to).node)
        }
        const single = flow.edges.map((edge) => edge.to).filter((to) => !to.endsWith('.clips'))
        expect(new Set(single).size).toBe(single.length)
        expect(groupsOf(flow).every((group) => group.members.length > 0)).toBe(true)
      }),
    )
  })

  it('does not mutate its argument', () => {
    fc.assert(
      fc.property(edits, (edit) => {
        const flow = sampleFlow()
        const before = JSON.stringify(flow)
        edit(flow)
        expect(JSON.stringify(flow)).toBe(before)
      }),
    )
  })
})

describe('single edits', () => {
  it('returns the same document when nothing changed, so that undo has no empty steps', () => {
    const flow = sampleFlow()
    expect(moveNodes(flow, new Map([['ask', { x: 0, y: 0 }]]))).toBe(flow)
    expect(removeNodes(flow, new Set(['missing']))).toBe(flow)
    expect(setSetting(flow, 'missing', 'text', 1)).toBe(flow)
    expect(renameNode(flow, 'ask', '')).toBe(flow)
    expect(setResult(flow, 'ask', undefined)).toBe(flow)
    expect(disconnect(flow, { from: 'a.b', to: 'c.d' })).toBe(flow)
  })

  it('removes a node with its edges', () => {
    const flow = removeNodes(sampleFlow(), new Set(['paint']))
    expect(flow.nodes.map((node) => node.id)).toEqual(['ask', 'write', 'animate'])
    expect(flow.edges).toEqual([{ from: 'ask.output', to: 'write.prompt' }])
  })

  it('inserts a node into an edge only if both halves fit', () => {
    const added = addNode(sampleFlow(), { id: 'language_model', version: 1 }, { x: 1, y: 2 })
    const edge = { from: 'write.output', to: 'paint.prompt' }
    const inserted = insertInto(added.document, SAMPLE, edge, added.id)
    expect(inserted.edges).toContainEqual({ from: 'write.output', to: 'language_model.prompt' })
    expect(inserted.edges).toContainEqual({ from: 'language_model.output', to: 'paint.prompt' })
    expect(inserted.edges).not.toContainEqual(edge)
    const wrong = addNode(sampleFlow(), { id: 'join_clips', version: 1 }, { x: 0, y: 0 })
    expect(insertInto(wrong.document, SAMPLE, edge, wrong.id)).toBe(wrong.document)
  })

  it('adds a node in the middle of an edge where it fits', () => {
    const flow = sampleFlow()
    const edge = { from: 'write.output', to: 'paint.prompt' }
    const added = addInto(flow, SAMPLE, edge, { id: 'language_model', version: 1 }, { x: 1, y: 2 })
    expect(added?.document.nodes.at(-1)).toMatchObject({ id: added?.id, position: { x: 1, y: 2 } })
    expect(added?.document.edges).toContainEqual({ from: 'write.output', to: `${added?.id}.prompt` })
    expect(added?.document.edges).toContainEqual({ from: `${added?.id}.output`, to: 'paint.prompt' })
    expect(added?.document.edges).not.toContainEqual(edge)
    expect(addInto(flow, SAMPLE, edge, { id: 'join_clips', version: 1 }, { x: 0, y: 0 })).toBeNull()
  })

  it('finds the unconnected nodes that fit into an edge', () => {
    const edge = { from: 'write.output', to: 'paint.prompt' }
    const free = addNode(sampleFlow(), { id: 'language_model', version: 1 }, { x: 0, y: 0 })
    const wrong = addNode(free.document, { id: 'join_clips', version: 1 }, { x: 0, y: 0 })
    expect(freeFor(wrong.document, SAMPLE, edge).map(({ id }) => id)).toEqual([free.id])
  })

  it('connects two ports; a single input gives up its edge, an input of a list keeps the others', () => {
    const flow = sampleFlow()
    const replaced = connect(flow, SAMPLE, parseEnd('ask.output'), parseEnd('paint.prompt'))
    expect(replaced.edges).toEqual([
      { from: 'ask.output', to: 'write.prompt' },
      { from: 'paint.output', to: 'animate.image' },
      { from: 'ask.output', to: 'paint.prompt' },
    ])
    const joined = addNode(flow, { id: 'join_clips', version: 1 }, { x: 0, y: 0 })
    const other = addNode(joined.document, { id: 'video_generation', version: 1 }, { x: 0, y: 0 })
    const clips = { node: joined.id, port: 'clips' }
    const first = connect(other.document, SAMPLE, parseEnd('animate.output'), clips)
    const second = connect(first, SAMPLE, { node: other.id, port: 'output' }, clips)
    expect(second.edges.slice(-2).map(({ from }) => from)).toEqual(['animate.output', `${other.id}.output`])
    expect(connect(second, SAMPLE, parseEnd('animate.output'), clips)).toBe(second)
  })

  it('pastes without the edges that lead out of the pasted nodes', () => {
    const fragment = {
      nodes: [sampleNode('one', 'user_prompt'), sampleNode('two', 'language_model')],
      edges: [
        { from: 'one.output', to: 'two.prompt' },
        { from: 'two.output', to: 'paint.prompt' },
        { from: 'ask.output', to: 'two.prompt' },
      ],
    }
    const pasted = paste(sampleFlow({ edges: [] }), fragment, { x: 0, y: 0 })
    expect(pasted.document.edges).toEqual([{ from: 'one.output', to: 'two.prompt' }])
  })

  it('changes nothing if a connection is refused or exists', () => {
    const flow = sampleFlow()
    expect(connect(flow, SAMPLE, parseEnd('ask.output'), parseEnd('animate.image'))).toBe(flow)
    expect(connect(flow, SAMPLE, parseEnd('ask.output'), parseEnd('write.prompt'))).toBe(flow)
  })

  it('inserts no node that is missing, of an unknown type or without a port that fits', () => {
    const edge = { from: 'write.output', to: 'paint.prompt' }
    const flow = { ...sampleFlow(), nodes: [...sampleFlow().nodes, sampleNode('lost', 'uninstalled')] }
    for (const id of ['missing', 'lost', 'animate']) expect(insertInto(flow, SAMPLE, edge, id)).toBe(flow)
    const by = { type: 'uninstalled', input: 'a', output: 'b' }
    expect(
      bridge(flow, SAMPLE, parseEnd('ask.output'), parseEnd('animate.image'), by, { x: 0, y: 0 }),
    ).toBeNull()
  })

  it('moves an edge and keeps its unknown keys', () => {
    const edge = { from: 'write.output', to: 'paint.prompt', extra: 1 }
    const flow = { ...sampleFlow(), edges: [edge] }
    const moved = reconnect(flow, SAMPLE, edge, parseEnd('ask.output'), parseEnd('paint.prompt'))
    expect(moved.edges).toEqual([{ from: 'ask.output', to: 'paint.prompt', extra: 1 }])
    expect(reconnect(flow, SAMPLE, edge, parseEnd('ask.output'), parseEnd('animate.image'))).toBe(flow)
  })

  it('bridges two ports with a node between them', () => {
    const by = { type: 'image_generation', input: 'prompt', output: 'output' }
    const free = disconnect(sampleFlow(), { from: 'paint.output', to: 'animate.image' })
    const made = bridge(free, SAMPLE, parseEnd('ask.output'), parseEnd('animate.image'), by, { x: 0, y: 0 })
    expect(made?.document.edges).toContainEqual({ from: `${made?.id}.output`, to: 'animate.image' })
  })

  it('removes a setting so that its default applies', () => {
    const set = setSetting(sampleFlow(), 'write', 'model', 'b')
    expect(set.nodes[1]?.settings).toEqual({ model: 'b' })
    expect(setSetting(set, 'write', 'model', undefined).nodes[1]?.settings).toEqual({})
  })
})

describe('arranging', () => {
  const box = (id: string, x: number, y: number, width = 100) => ({ id, x, y, width, height: 50 })

  it('aligns to a side and to the middle', () => {
    const boxes = [box('a', 0, 0), box('b', 40, 90, 200)]
    expect(align(boxes, 'left').get('b')).toEqual({ x: 0, y: 90 })
    expect(align(boxes, 'right').get('a')).toEqual({ x: 140, y: 0 })
    expect(align(boxes, 'centre').get('a')).toEqual({ x: 70, y: 0 })
    expect(align(boxes, 'top').get('b')).toEqual({ x: 40, y: 0 })
    expect(align(boxes, 'bottom').get('a')).toEqual({ x: 0, y: 90 })
    expect(align(boxes, 'middle').get('a')).toEqual({ x: 0, y: 45 })
    expect(align([box('a', 0, 0)], 'left').size).toBe(0)
  })

  it('makes gaps equal', () => {
    const places = distribute([box('a', 0, 0), box('b', 110, 0), box('c', 400, 0)], 'x')
    expect(places.get('b')).toEqual({ x: 200, y: 0 })
    expect(places.get('c')).toEqual({ x: 400, y: 0 })
  })

  it.each(Array.from({ length: 10 }, (_, seed) => seed))(
    'leaves no two cards overlapping in random flow %i',
    (seed) => {
      const types = SAMPLE.types
      const count = 5 + seed * 4
      const nodes = Array.from({ length: count }, (_, at) =>
        sampleNode(`n${at}`, types[(at * (seed + 3)) % types.length]?.id ?? 'number'),
      )
      const edges = nodes.flatMap((node, at) => {
        const from = nodes[(at * 7 + seed) % Math.max(1, at)]
        return at > 0 && from ? [{ from: `${from.id}.output`, to: `${node.id}.prompt` }] : []
      })
      const flow = sampleFlow({ nodes, edges })
      const places = layOut(flow, (id) => ({
        ...cardSize(findNode(flow, id) as FlowNode, flow, SAMPLE),
        inputs: ['prompt'],
        outputs: ['output'],
      }))
      const boxes = nodes.map((node) => ({
        ...(places.get(node.id) as Point),
        ...cardSize(node, flow, SAMPLE),
      }))
      const crossing = boxes.flatMap((one, at) =>
        boxes
          .slice(at + 1)
          .filter(
            (other) =>
              one.x < other.x + other.width &&
              other.x < one.x + one.width &&
              one.y < other.y + other.height &&
              other.y < one.y + one.height,
          ),
      )
      expect(crossing).toEqual([])
    },
  )

  it('lays nodes out from left to right without overlap', () => {
    const places = layOut(sampleFlow(), () => ({ width: 232, height: 240, inputs: [], outputs: [] }))
    const xs = ['ask', 'write', 'paint', 'animate'].map((id) => places.get(id)?.x as number)
    expect(xs).toEqual([...xs].sort((one, other) => one - other))
    expect((xs[1] as number) - (xs[0] as number)).toBeGreaterThan(232)
  })
})

describe('reading a document', () => {
  it('preserves unknown keys', () => {
    const data = {
      format: 1,
      name: 'x',
      extra: { a: 1 },
      nodes: [{ id: 'a', type: 't', version: 2, settings: {}, position: { x: 1, y: 2 }, extra: { b: 2 } }],
      edges: [{ from: 'a.b', to: 'c.d', label: 'e' }],
    }
    expect(parseDocument(data)).toEqual(data)
  })

  it('reports errors in plain language', () => {
    expect(() => parseDocument([])).toThrow('not a JSON object')
    expect(() => parseDocument({ nodes: 3 })).toThrow('"nodes" is not a list')
    expect(() => parseDocument({ format: 9 })).toThrow('format 9')
  })
})
