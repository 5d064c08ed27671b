import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow } from '@/test/flow-samples'
import { edgesAt, nameEnd } from './port-edges'

describe('the wiring of a port', () => {
  const flow = sampleFlow()

  it('is the edges that begin or end there', () => {
    const at = (node: string, port: string, side: 'source' | 'target') =>
      edgesAt(flow, SAMPLE, { node, port }, side).map((edge) => `${edge.from}>${edge.to}`)
    expect(at('write', 'output', 'source')).toEqual(['write.output>paint.prompt'])
    expect(at('write', 'prompt', 'target')).toEqual(['ask.output>write.prompt'])
    expect(at('write', 'brand', 'target')).toEqual([])
  })

  it('is told by the titles of ports and nodes', () => {
    const titled = { ...flow, nodes: flow.nodes.map((node) => ({ ...node, title: `My ${node.id}` })) }
    expect(nameEnd(titled, SAMPLE, 'paint.prompt', 'target')).toEqual({ port: 'Prompt', node: 'My paint' })
    expect(nameEnd(flow, SAMPLE, 'gone.there', 'target')).toEqual({ port: 'there', node: 'gone' })
  })
})
