import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleFlow, sampleNode } from '@/test/flow-samples'
import type { ExposedSetting } from '../document'
import { offeredAgain, offering, type Promotion, promotedByDefault, promotionsOf } from './promotions'

const LIMITS = { minimum: 0, maximum: 4, choices: ['a'] } as ExposedSetting
const flow = sampleFlow({
  nodes: [
    sampleNode('name', 'user_prompt'),
    sampleNode('count', 'number'),
    sampleNode('write', 'language_model'),
    sampleNode('second', 'language_model', { title: 'Second', exposed: { model: { order: 1, ...LIMITS } } }),
    sampleNode('paint', 'image_generation', {
      exposed: { n_images: { label: 'Pictures', order: 0, ...LIMITS } },
    }),
    sampleNode('more', 'image_generation'),
    sampleNode('last', 'image_generation', { exposed: { n_images: {}, gone: {} } }),
  ],
  edges: [
    { from: 'name.output', to: 'write.model' },
    { from: 'count.output', to: 'paint.n_images' },
    { from: 'count.output', to: 'more.n_images' },
  ],
})
const moved = (...ids: string[]) => promotionsOf(flow, SAMPLE, new Set(ids))
const all = moved('name', 'write', 'second', 'paint', 'more', 'last')
const places = (list: readonly Promotion[]) => list.map(({ node, setting }) => `${node}.${setting}`)

describe('settings that nodes offer as inputs of their agent', () => {
  it('are first those of launchers by their place, then those driven from outside, then the others', () => {
    expect(places(all)).toEqual(['paint.n_images', 'second.model', 'last.n_images', 'more.n_images'])
    expect(places(moved('write', 'more'))).toEqual(['write.model', 'more.n_images'])
    expect(places(moved('second', 'write'))).toEqual(['second.model', 'write.model'])
  })

  it('are none of input nodes, and not those that a moved node drives', () => {
    expect(moved('name', 'count')).toEqual([])
    expect(places(moved('count', 'paint', 'more'))).toEqual([])
  })

  it('have the titles of their node and of the setting, and the builder’s name', () => {
    expect(all[0]).toMatchObject({ label: 'Pictures', isOffered: true, isDriven: true })
    expect(all[1]).toMatchObject({ nodeTitle: 'Second', title: 'model', label: '', isDriven: false })
    expect(all[3]).toMatchObject({ isOffered: false, isDriven: true })
  })

  it('are inputs by default if launchers set them or an edge drives them', () => {
    const rest = moved('write').map((one) => ({ ...one, isDriven: false }))
    expect([...all, ...rest].map(promotedByDefault)).toEqual([true, true, true, true, false])
  })

  it('are offered in the given order with trimmed names, and with their limits unless an edge drives them', () => {
    const chosen = [all[1], all[0]].map((one) => ({ ...(one as Promotion), label: ' Name ' }))
    const exposed = Object.fromEntries(offering(flow.nodes, chosen).map((one) => [one.id, one.exposed]))
    expect(exposed.second).toEqual({ model: { ...LIMITS, label: 'Name', order: 0 } })
    expect(exposed.paint).toEqual({ n_images: { label: 'Name', order: 1 } })
    expect(exposed.last).toBeUndefined()
  })

  it('are offered again by the node of the agent, if launchers set them before', () => {
    const unnamed = all.map((one) => (one.node === 'paint' ? { ...one, label: ' ' } : one))
    expect(offeredAgain(flow, all)).toEqual({
      'paint.n_images': { label: 'Pictures', order: 0 },
      'second.model': { order: 1 },
      'last.n_images': {},
    })
    expect(offeredAgain(flow, unnamed)['paint.n_images']).toEqual({ order: 0 })
  })
})

it('a setting that is driven from outside comes before others, whatever the order of the nodes', () => {
  const nodes = [
    sampleNode('name', 'user_prompt'),
    sampleNode('plain', 'image_generation'),
    sampleNode('driven', 'image_generation'),
    sampleNode('offered', 'image_generation', { exposed: { n_images: {} } }),
  ]
  const edges = [{ from: 'name.output', to: 'driven.n_images' }]
  const found = promotionsOf(sampleFlow({ nodes, edges }), SAMPLE, new Set(['plain', 'driven', 'offered']))
  expect(places(found)).toEqual(['offered.n_images', 'driven.n_images', 'plain.n_images'])
})
