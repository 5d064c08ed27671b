import type { APIRequestContext, Page } from '@playwright/test'
import type { Server } from '../fixtures'
import { holdRequests } from '../fixtures/interception'
import { Canvas, createFlow, flowNode } from './canvas'

type Context = { page: Page; server: Server; token: string; request: APIRequestContext }
type FlowOptions = Parameters<typeof createFlow>[3]

/** Creates an agent of the user through the API and opens it in the editor. */
export async function openNewFlow(
  context: Context,
  options?: FlowOptions,
): Promise<{ id: string; canvas: Canvas }> {
  const id = await createFlow(context.request, context.server.url, context.token, options)
  const canvas = new Canvas(context.page)
  await canvas.open(id)
  return { id, canvas }
}

/** Delays the event streams of all runs until the returned function is called, so that the page shows them running. */
export function holdRunEvents(page: Page): Promise<() => void> {
  return holdRequests(page, '**/runs/*/events*')
}

/** A Compose node and four images. */
export const imagesFlow = {
  nodes: [
    flowNode('ask', 'user_prompt', 0, 0, { text: 'A frosted can on warm cedar' }),
    flowNode('paint', 'image_generation', 320, 0, { provider: 'local', n_images: 4 }),
    flowNode('say', 'compose', 320, -220, { template: 'Say {{it}}' }),
  ],
  edges: [
    { from: 'ask.output', to: 'paint.prompt' },
    { from: 'ask.output', to: 'say.it' },
  ],
}

type Nodes = { nodes: ReturnType<typeof flowNode>[]; edges: { from: string; to: string }[] }

/** `flow` with a language model, asked by its node `ask`, that answers when the test has `model` finish. */
export function heldFlow({ nodes, edges }: Nodes): Nodes {
  return {
    nodes: [
      ...nodes,
      flowNode('write', 'language_model', 320, 440, { provider: 'openai', model: 'gpt-5-mini' }),
    ],
    edges: [...edges, { from: 'ask.output', to: 'write.prompt' }],
  }
}

type ComposeOptions = { text?: string; template?: string; distance?: number }

/** The smallest agent with a result: a user prompt and a Compose node. */
export function composeFlow({
  text = 'Cold brew',
  template = 'Say {{it}}',
  distance = 420,
}: ComposeOptions = {}) {
  return {
    nodes: [
      flowNode('ask', 'user_prompt', 0, 0, { text }),
      flowNode('say', 'compose', distance, 0, { template }),
    ],
    edges: [{ from: 'ask.output', to: 'say.it' }],
  }
}

/** `composeFlow` with a Text to speech node behind it. */
export function speechFlow() {
  const { nodes, edges } = composeFlow()
  return {
    nodes: [...nodes, flowNode('speak', 'text_to_speech', 840, 0)],
    edges: [...edges, { from: 'say.output', to: 'speak.text' }],
  }
}

/** A Compose node, an image and a slow video of that image. */
export function mediaFlow() {
  return {
    nodes: [
      flowNode('ask', 'user_prompt', 0, 0, { text: 'A frosted can on warm cedar' }),
      flowNode('say', 'compose', 320, -200, { template: 'Say {{it}}' }),
      flowNode('paint', 'image_generation', 320, 60, { provider: 'local' }),
      flowNode('video', 'still_to_video', 640, 60, { duration: 8 }),
    ],
    edges: [
      { from: 'ask.output', to: 'say.it' },
      { from: 'ask.output', to: 'paint.prompt' },
      { from: 'paint.output', to: 'video.image' },
    ],
  }
}
