import { type AgentInput, Catalog, type NodeType, type PortType, type Schema } from '@/graph/catalog'
import type { FlowDocument, FlowNode, Group, Note } from '@/graph/document'

export function samplePort(name: string, type: string, more: Partial<PortType> = {}): PortType {
  return { name, title: name[0]?.toUpperCase() + name.slice(1), help: '', type, list: false, ...more }
}

/** A node type without ports and settings. */
export function sampleType(id: string, more: Partial<NodeType> = {}): NodeType {
  return nodeType(id, id, more)
}

function nodeType(id: string, title: string, more: Partial<NodeType>): NodeType {
  return {
    id,
    title,
    version: 1,
    category: 'ai_models',
    summary: `${title}.`,
    help: '',
    inputs: [],
    outputs: [],
    settings: { type: 'object', properties: {} },
    input: null,
    variables: [],
    generative: false,
    streams: false,
    beta: false,
    deprecated: false,
    replaced_by: null,
    ...more,
  }
}

const text: Schema = { type: 'string', default: '', title: 'Text' }

/** A setting of an agent that its launchers may set. */
export function sampleAgentInput(name: string, more: Partial<AgentInput> = {}): AgentInput {
  const setting = { label: name, schema: {}, typeId: 'number', setting: name, isSetting: true }
  return { ...samplePort(name, 'Text', { title: name }), ...setting, ...more }
}

/** A small catalog for tests, with one node type for each case of the rules. */
export const SAMPLE = new Catalog({
  types: [
    nodeType('user_prompt', 'User prompt', {
      category: 'inputs',
      outputs: [samplePort('output', 'Text')],
      settings: { type: 'object', properties: { text } },
      input: 'text',
    }),
    nodeType('language_model', 'Language model', {
      inputs: [samplePort('prompt', 'Text', { required: true }), samplePort('brand', 'Brand')],
      outputs: [samplePort('output', 'Text')],
      settings: {
        type: 'object',
        properties: { system_prompt: text, model: { type: 'string', default: 'a' } },
      },
      variables: ['system_prompt'],
      generative: true,
    }),
    nodeType('image_generation', 'Image generation', {
      inputs: [samplePort('prompt', 'Text', { required: true })],
      outputs: [samplePort('output', 'Image', { list: true })],
      settings: { type: 'object', properties: { n_images: { type: 'integer', default: 1 } } },
      generative: true,
    }),
    nodeType('video_generation', 'Video generation', {
      inputs: [samplePort('image', 'Image', { required: true })],
      outputs: [samplePort('output', 'Video')],
      generative: true,
    }),
    nodeType('join_clips', 'Join clips', {
      category: 'transform_assets',
      inputs: [samplePort('clips', 'Video', { list: true, required: true })],
      outputs: [samplePort('output', 'Video')],
    }),
    nodeType('palette', 'Palette', {
      category: 'transform_assets',
      inputs: [samplePort('image', 'Image', { required: true })],
      outputs: [samplePort('output', 'Json')],
    }),
    nodeType('number', 'Number', { category: 'inputs', outputs: [samplePort('output', 'Integer')] }),
  ],
  conversions: [
    { from: 'Integer', to: 'Number' },
    { from: 'Integer', to: 'Text' },
    { from: 'Number', to: 'Text' },
    { from: 'Json', to: 'Text' },
  ],
  value_types: ['Text', 'Number', 'Integer', 'Json', 'Image', 'Video', 'Brand'],
  categories: ['inputs', 'ai_models', 'transform_assets'],
  broken: [],
})

export function sampleNode(id: string, type: string, more: Partial<FlowNode> = {}): FlowNode {
  return { id, type, version: 1, settings: {}, position: { x: 0, y: 0 }, ...more }
}

export function sampleNote(id: string, more: Partial<Note> = {}): Note {
  const size = { width: 200, height: 100 }
  return { id, text: '', position: { x: 0, y: 0 }, size, pigment: 'ochre', ...more }
}

export function sampleGroup(id: string, title: string, members: readonly string[]): Group {
  return { id, title, members, pigment: 'slate' }
}

export function sampleFlow(more: Partial<FlowDocument> = {}): FlowDocument {
  return {
    format: 1,
    name: 'Sample',
    nodes: [
      sampleNode('ask', 'user_prompt'),
      sampleNode('write', 'language_model', { position: { x: 300, y: 0 } }),
      sampleNode('paint', 'image_generation', { position: { x: 600, y: 0 } }),
      sampleNode('animate', 'video_generation', { position: { x: 900, y: 0 } }),
    ],
    edges: [
      { from: 'ask.output', to: 'write.prompt' },
      { from: 'write.output', to: 'paint.prompt' },
      { from: 'paint.output', to: 'animate.image' },
    ],
    ...more,
  }
}

/** The document with other properties of one node. */
export function withNode(flow: FlowDocument, id: string, more: Partial<FlowNode>): FlowDocument {
  return { ...flow, nodes: flow.nodes.map((node) => (node.id === id ? { ...node, ...more } : node)) }
}
