import { publishFlow } from '@/lib/api/drafts'
import { createFlow, type FlowDetail, type FlowFacts } from '@/lib/api/flows'

/** The agent that edits inside a mask: a text, an image and its mask go into one node. */
const NODES = [
  { id: 'prompt', type: 'user_prompt', y: 0 },
  { id: 'image', type: 'picture', y: 220 },
  { id: 'area', type: 'mask', y: 500 },
  { id: 'edit', type: 'image_edit', x: 380, y: 120 },
]
const EDGES = ['prompt.output edit.prompt', 'image.output edit.picture', 'area.output edit.mask']

/** Creates and publishes an agent of the user that edits inside a mask. A repeat with the same key creates none. */
export async function createEditor(name: string, description: string, key: string): Promise<FlowDetail> {
  const flow = {
    format: 1,
    name,
    nodes: NODES.map(({ id, type, x = 0, y }) => ({
      id,
      type,
      position: { x, y },
      ...(type === 'image_edit' && { exposed: { model: { order: 1 } } }),
    })),
    edges: EDGES.map((edge) => {
      const [from, to] = edge.split(' ')
      return { from, to }
    }),
  }
  const facts = { name, description, category: 'creative_assets', visibility: 'private' } as FlowFacts
  const made = await createFlow({ ...facts, flow }, key)
  await publishFlow(made.id, '')
  return made
}
