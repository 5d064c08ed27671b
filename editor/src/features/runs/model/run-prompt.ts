/** The prompt of a run, read from the document of the run: the agent may have changed or been deleted since. */

import type { Run } from '@/lib/api/runs'
import { assetIdsIn } from '@/lib/launch/inputs'
import type { FlowDocument } from './expected-results'

export type RunPrompt = { prompt: string; images: string[] }

/** The first prompt in document order, else the first text among the inputs. */
export function promptOf({ inputs, flow }: Pick<Run, 'inputs' | 'flow'>): RunPrompt {
  const nodes = (flow as FlowDocument).nodes ?? []
  const prompts = nodes.filter((node) => node.type === 'user_prompt')
  const prompted = prompts.map((node) => inputs[node.id] ?? node.settings?.text)
  const words = [...prompted, ...Object.values(inputs)].filter(
    (value) => typeof value === 'string' && value !== '',
  )
  const [prompt = ''] = words as string[]
  return { prompt, images: [...new Set(Object.values(inputs).flatMap(assetIdsIn))] }
}
