// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { Catalog, type NodeType } from '@/graph/catalog'
import type { FlowDocument } from '@/graph/document'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import { dissolve } from './extraction'
import type { Session } from './session'
import { createViewStore } from './view-store'

const base = SAMPLE.types.find(({ id }) => id === 'user_prompt') as NodeType
const AGENT: NodeType = { ...base, id: 'agent', title: 'Agent', input: null, outputs: [], subflow: 'flow' }

it('the nodes of a dissolved agent take its place if they fit there without the inputs that are left out', () => {
  const session = {
    document: sampleFlow({
      nodes: [
        sampleNode('ask', 'user_prompt'),
        sampleNode('part', 'agent', { position: { x: 400, y: 100 }, settings: { flow: 'f1' } }),
        sampleNode('animate', 'video_generation', { position: { x: 800, y: 100 } }),
      ],
      edges: [
        { from: 'ask.output', to: 'part.idea' },
        { from: 'part.write', to: 'animate.prompt' },
      ],
    }),
    catalog: new Catalog({ ...SAMPLE.data, types: [...SAMPLE.types, AGENT] }),
    view: createViewStore(),
    flow: { settle: () => undefined },
    sizeOf: () => ({ width: 232, height: 160 }),
    edit(change: (document: FlowDocument) => FlowDocument) {
      session.document = change(session.document)
    },
  }
  const inner = sampleFlow({
    nodes: [
      sampleNode('idea', 'user_prompt', { position: { x: 0, y: 0 } }),
      sampleNode('write', 'language_model', { position: { x: 400, y: 0 } }),
    ],
    edges: [{ from: 'idea.output', to: 'write.prompt' }],
  })
  dissolve(session as unknown as Session, 'part', inner)
  expect(session.document.nodes.map(({ id, position }) => [id, position])).toContainEqual([
    'write',
    { x: 400, y: 100 },
  ])
})
