import { expect, it } from 'vitest'
import { stepsToRerun, withKept } from './rerun'
import { promptOf } from './run-prompt'
import type { Tile } from './tiles'

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
const steps = (lengths: Record<string, number> = {}) => ({
  isGenerative: (type: string) => type === 'language_model' || type === 'image_generation',
  lengthOf: (step: string) => lengths[step] ?? null,
  types: new Map<string, string>(),
})
const whole = (step: string) => ({ step, place: [] })

it('regenerates generative steps, and the steps between them and the result', () => {
  expect(stepsToRerun(FLOW, whole('hero'), steps())).toEqual(['hero'])
  expect(stepsToRerun(FLOW, whole('crop'), steps())).toEqual(['crop', 'logo', 'hero'])
})

it('regenerates the step alone if no step is generative', () => {
  const plain = { ...steps(), isGenerative: () => false }
  expect(stepsToRerun(FLOW, whole('crop'), plain)).toEqual(['crop'])
  expect(stepsToRerun(FLOW, { step: 'crop', place: [1] }, plain)).toEqual(['crop'])
})

it('regenerates one of several items, and not the others', () => {
  expect(stepsToRerun(FLOW, { step: 'hero', place: [2] }, steps())).toEqual(['hero#2'])
  expect(stepsToRerun(FLOW, { step: 'hero', place: [2, 0] }, steps())).toEqual(['hero#2.0'])
})

it('finds the item from which it was made, if each was made from one', () => {
  expect(stepsToRerun(FLOW, { step: 'crop', place: [1, 2] }, steps({ hero: 3, crop: 3 }))).toEqual(['hero#1'])
  const gathered = steps({ hero: 3, crop: 9 })
  expect(stepsToRerun(FLOW, { step: 'crop', place: [4] }, gathered)).toEqual(['crop', 'logo', 'hero'])
})

it('regenerates all items if several were generated', () => {
  const edges = [...FLOW.edges, { from: 'write.output', to: 'logo.words' }]
  const found = stepsToRerun({ ...FLOW, edges }, { step: 'crop', place: [1] }, steps({ hero: 3, crop: 3 }))
  expect(found).toEqual(['crop', 'logo', 'hero', 'write'])
})

it('regenerates inside an agent that the flow runs, and not what leads to it', () => {
  const nodes = [...FLOW.nodes, { id: 'kit', type: 'agent' }, { id: 'frame', type: 'resize_crop' }]
  const edges = [
    { from: 'write.output', to: 'kit.prompt' },
    { from: 'kit.picture', to: 'frame.picture' },
  ]
  const known = (lengths: Record<string, number> = {}) => ({
    ...steps(lengths),
    types: new Map([
      ['write', 'language_model'],
      ['kit/paint', 'image_generation'],
      ['kit/sign', 'overlay_logo'],
      ['frame', 'resize_crop'],
    ]),
  })
  const flow = { nodes, edges }
  expect(stepsToRerun(flow, { step: 'kit/paint', place: [1] }, known())).toEqual(['kit/paint#1'])
  expect(stepsToRerun(flow, whole('kit/sign'), known())).toEqual(['kit/sign', 'kit/paint'])
  const three = known({ 'kit/paint': 3, frame: 3 })
  expect(stepsToRerun(flow, { step: 'frame', place: [2] }, three)).toEqual(['kit/paint#2'])
  expect(stepsToRerun(flow, whole('frame'), known())).toEqual(['frame', 'kit/paint'])
})

it('terminates on a cycle', () => {
  const edges = [...FLOW.edges, { from: 'crop.output', to: 'logo.picture' }]
  expect(stepsToRerun({ ...FLOW, edges }, whole('crop'), steps())).toEqual(['crop', 'logo', 'hero'])
})

it('shows the run input before the agent’s own text, and the images', () => {
  const can = { $type: 'Image', asset_id: 'can' } as const
  expect(promptOf({ inputs: { brief: 'Ours', product: can, set: [can] }, flow: FLOW })).toEqual({
    prompt: 'Ours',
    images: ['can'],
  })
  expect(promptOf({ inputs: {}, flow: FLOW })).toEqual({ prompt: 'A can', images: [] })
  expect(promptOf({ inputs: {}, flow: {} })).toEqual({ prompt: '', images: [] })
})

it('blanks only the tile that is regenerated, as long as the others have not arrived', () => {
  const tile = (key: string, state: Tile['state'], value: unknown = null) =>
    ({ key, state, value, title: 'Images', number: 1, of: 3 }) as Tile
  const earlier = [tile('a', 'ready', 1), tile('b', 'ready', 2), tile('c', 'ready', 3), tile('d', 'failed')]
  const now = [tile('a', 'waiting'), tile('b', 'running'), tile('c', 'ready', 4), tile('d', 'waiting')]
  const shown = withKept(now, earlier, ({ key }) => key === 'b')
  expect(shown.map(({ state, value }) => [state, value])).toEqual([
    ['ready', 1],
    ['running', null],
    ['ready', 4],
    ['waiting', null],
  ])
  expect(withKept([tile('a', 'stopped')], earlier, () => false)[0]?.state).toBe('stopped')
})
