import { Catalog, type NodeType, type PortType, type Schema } from '@/graph/catalog'
import type { FlowDocument, FlowNode } from '@/graph/document'

/** A small catalog for tests, with one node type for each case of the rules. */
function port(name: string, type: string, more: Partial<PortType> = {}): PortType {
  return { name, title: name[0]?.toUpperCase() + name.slice(1), help: '', type, list: false, ...more }
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

export const SAMPLE = new Catalog({
  types: [
    nodeType('user_prompt', 'User prompt', {
      category: 'inputs',
      outputs: [port('output', 'Text')],
      settings: { type: 'object', properties: { text } },
      input: 'text',
    }),
    nodeType('language_model', 'Language model', {
      inputs: [port('prompt', 'Text', { required: true }), port('brand', 'Brand')],
      outputs: [port('output', 'Text')],
      settings: {
        type: 'object',
        properties: { system_prompt: text, model: { type: 'string', default: 'a' } },
      },
      variables: ['system_prompt'],
      generative: true,
    }),
    nodeType('image_generation', 'Image generation', {
      inputs: [port('prompt', 'Text', { required: true })],
      outputs: [port('output', 'Image', { list: true })],
      settings: { type: 'object', properties: { n_images: { type: 'integer', default: 1 } } },
      generative: true,
    }),
    nodeType('video_generation', 'Video generation', {
      inputs: [port('image', 'Image', { required: true })],
      outputs: [port('output', 'Video')],
      generative: true,
    }),
    nodeType('join_clips', 'Join clips', {
      category: 'transform_assets',
      inputs: [port('clips', 'Video', { list: true, required: true })],
      outputs: [port('output', 'Video')],
    }),
    nodeType('palette', 'Palette', {
      category: 'transform_assets',
      inputs: [port('image', 'Image', { required: true })],
      outputs: [port('output', 'Json')],
    }),
    nodeType('number', 'Number', { category: 'inputs', outputs: [port('output', 'Integer')] }),
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
