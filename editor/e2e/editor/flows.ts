import type { APIRequestContext, Page } from '@playwright/test'
import type { Server } from '../fixtures'
import { Canvas, createFlow, flowNode } from './canvas'

type Given = { page: Page; server: Server; token: string; request: APIRequestContext }
type Sketch = Parameters<typeof createFlow>[3]

/** An agent of one's own, made through the API and open before one. */
export async function begin(given: Given, sketch?: Sketch): Promise<{ id: string; canvas: Canvas }> {
  const id = await createFlow(given.request, given.server.url, given.token, sketch)
  const canvas = new Canvas(given.page)
  await canvas.open(id)
  return { id, canvas }
}

/**
 * Holds back what the server tells of its runs until it is let go: a run that is under way stays so before one's
 * eyes, however quick it is.
 */
export async function holdRuns(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/runs/*/events*', (route) => held.then(() => route.continue()))
  return release
}

type Saying = { text?: string; template?: string; apart?: number }

/** The smallest agent that makes something: a prompt, and a sentence made of it. */
export function saying({ text = 'Cold brew', template = 'Say {{it}}', apart = 420 }: Saying = {}) {
  return {
    nodes: [
      flowNode('ask', 'user_prompt', 0, 0, { text }),
      flowNode('say', 'compose', apart, 0, { template }),
    ],
    edges: [{ from: 'ask.output', to: 'say.it' }],
  }
}

/** The same, and its sentence spoken. */
export function speaking() {
  const { nodes, edges } = saying()
  return {
    nodes: [...nodes, flowNode('speak', 'text_to_speech', 840, 0)],
    edges: [...edges, { from: 'say.output', to: 'speak.text' }],
  }
}

/** A sentence, and a picture that is set in motion: its film takes a while. */
export function poster() {
  return {
    nodes: [
      flowNode('ask', 'user_prompt', 0, 0, { text: 'A frosted can on warm cedar' }),
      flowNode('say', 'compose', 320, -200, { template: 'Say {{it}}' }),
      flowNode('paint', 'image_generation', 320, 60, { provider: 'local' }),
      flowNode('film', 'still_to_video', 640, 60, { duration: 8 }),
    ],
    edges: [
      { from: 'ask.output', to: 'say.it' },
      { from: 'ask.output', to: 'paint.prompt' },
      { from: 'paint.output', to: 'film.image' },
    ],
  }
}
