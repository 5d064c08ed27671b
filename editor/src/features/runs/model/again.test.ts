import { expect, it } from 'vitest'
import { freshFor } from './again'
import { promptOf } from './asked'

const FLOW = {
  nodes: [
    { id: 'brief', type: 'user_prompt', settings: { text: 'A can' } },
    { id: 'write', type: 'language_model' },
    { id: 'hero', type: 'image_generation' },
    { id: 'logo', type: 'overlay_logo' },
    { id: 'crop', type: 'resize_crop' },
  ],
  edges: [
    { from: 'brief.output', to: 'write.prompt' },
    { from: 'write.output', to: 'hero.prompt' },
    { from: 'hero.output', to: 'logo.picture' },
    { from: 'logo.output', to: 'crop.picture' },
  ],
}
const invents = (type: string) => type === 'language_model' || type === 'image_generation'

it('makes afresh what invents, and what lies between it and the result', () => {
  expect(freshFor(FLOW, 'hero', invents)).toEqual(['hero'])
  expect(freshFor(FLOW, 'crop', invents)).toEqual(['crop', 'logo', 'hero'])
})

it('makes afresh the step alone where nothing invents', () => {
  expect(freshFor(FLOW, 'crop', () => false)).toEqual(['crop'])
})

it('tells what was asked: the input before the agent’s own text, and the pictures', () => {
  const can = { $type: 'Image', asset_id: 'can' } as const
  expect(promptOf({ inputs: { brief: 'Ours', product: can, set: [can] }, flow: FLOW })).toEqual({
    prompt: 'Ours',
    pictures: ['can'],
  })
  expect(promptOf({ inputs: {}, flow: FLOW })).toEqual({ prompt: 'A can', pictures: [] })
  expect(promptOf({ inputs: {}, flow: {} })).toEqual({ prompt: '', pictures: [] })
})
