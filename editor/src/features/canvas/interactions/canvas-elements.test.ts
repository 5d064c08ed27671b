import { describe, expect, it } from 'vitest'
import type { FlowDocument } from '@/graph/document'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { reconcileEdges, reconcileNodes, sizeOf } from './canvas-elements'

const none = new Set<string>()
const flow = sampleFlow({
  nodes: [sampleNode('ask', 'user_prompt'), sampleNode('write', 'language_model')],
  edges: [{ from: 'ask.output', to: 'write.prompt' }],
})
const nodes = reconcileNodes([], flow, SAMPLE, none)
const edges = reconcileEdges([], flow, SAMPLE, none)

function withSettings(id: string, settings: Record<string, string>): FlowDocument {
  return { ...flow, nodes: flow.nodes.map((node) => (node.id === id ? { ...node, settings } : node)) }
}

describe('the elements of the canvas', () => {
  it('are the same lists where an edit changes none of them', () => {
    expect(reconcileNodes(nodes, { ...flow, name: 'Other' }, SAMPLE, none)).toBe(nodes)
    expect(reconcileEdges(edges, withSettings('ask', { text: 'x' }), SAMPLE, none)).toBe(edges)
  })

  it('are another list where one is selected, edited or removed', () => {
    expect(reconcileEdges(edges, flow, SAMPLE, new Set([edges[0]?.id ?? '']))).not.toBe(edges)
    expect(reconcileEdges(edges, { ...flow, edges: [] }, SAMPLE, none)).toEqual([])
    const edited = reconcileNodes(nodes, withSettings('ask', { text: 'x' }), SAMPLE, none)
    expect(edited.map((node, at) => node === nodes[at])).toEqual([false, true])
  })

  it('have edges of another type where an edit changes the ports of a node', () => {
    const made = sampleFlow({
      nodes: [sampleNode('first', 'user_prompt'), sampleNode('write', 'language_model')],
      edges: [{ from: 'first.output', to: 'write.prompt' }],
    })
    const before = reconcileEdges([], made, SAMPLE, none)
    const swapped = made.nodes.map((node) => (node.id === 'first' ? { ...node, type: 'palette' } : node))
    const [second] = reconcileEdges(before, { ...made, nodes: swapped }, SAMPLE, none)
    expect([before[0]?.data?.type, second?.data?.type]).toEqual(['Text', 'Json'])
  })

  it('have the size of their card before it is drawn, and another where a placeholder adds a port', () => {
    const [, before] = nodes
    const text = '{{one}} {{two}} {{three}}'
    const [, after] = reconcileNodes(nodes, withSettings('write', { system_prompt: text }), SAMPLE, none)
    if (!before || !after) throw new Error('The cards are missing.')
    expect(before.measured).toEqual(sizeOf(before))
    expect(sizeOf(after).height).toBeGreaterThan(sizeOf(before).height)
  })
})
