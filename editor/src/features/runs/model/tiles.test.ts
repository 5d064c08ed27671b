import { describe, expect, it } from 'vitest'
import { ratioOf } from '@/lib/aspect-ratio'
import { emptyStep } from '@/lib/run/step'
import type { StepState } from '@/lib/run/types'
import { expectedResult, ratioName } from './expected-results'
import { shownTiles, type TileRun, tilesOf } from './tiles'

const FLOW = {
  nodes: [
    { id: 'prompt', type: 'user_prompt', settings: { text: '' } },
    { id: 'shape', type: 'choice', settings: { value: '1:1' } },
    { id: 'hero', type: 'image_generation', settings: { n_images: 3, aspect_ratio: '16:9' } },
    { id: 'logo', type: 'overlay_logo', settings: {} },
    { id: 'teaser', type: 'video_generation', settings: { duration: 6, aspect_ratio: '9:16' } },
  ],
  edges: [
    { from: 'prompt.output', to: 'hero.prompt' },
    { from: 'shape.output', to: 'hero.aspect_ratio' },
    { from: 'hero.output', to: 'logo.image' },
    { from: 'prompt.output', to: 'teaser.prompt' },
  ],
}

const RESULTS = [
  { step: 'say', port: 'output', title: 'Voice-over', type: 'Audio', list: false, value: null },
  { step: 'logo', port: 'output', title: 'Hero', type: 'Image', list: true, value: null as unknown },
  { step: 'teaser', port: 'output', title: 'Teaser', type: 'Video', list: false, value: null as unknown },
]

const image = (id: string, width = 1080, height = 1350) => ({
  $type: 'Image',
  asset_id: id,
  media_type: 'image/png',
  width,
  height,
})

const step = (over: Partial<StepState>): StepState => ({ ...emptyStep('s'), ...over })

function run(over: Partial<TileRun> & { steps?: Record<string, StepState> } = {}): TileRun {
  const { steps = {}, ...rest } = over
  return { status: 'running', inputs: {}, flow: FLOW, results: RESULTS, step: (id) => steps[id], ...rest }
}

describe('the expected result', () => {
  it('is determined by the nearest node with a count and an aspect ratio', () => {
    expect(expectedResult(FLOW, 'logo', { shape: '4:5' })).toEqual({ count: 3, ratio: 0.8 })
    expect(expectedResult(FLOW, 'logo')).toEqual({ count: 3, ratio: 1 })
    expect(expectedResult(FLOW, 'missing')).toEqual({ count: 1, ratio: null })
  })

  it('terminates on a cycle', () => {
    const circle = {
      nodes: [{ id: 'a' }, { id: 'b' }],
      edges: [
        { from: 'a.o', to: 'b.i' },
        { from: 'b.o', to: 'a.i' },
      ],
    }
    expect(expectedResult(circle, 'a')).toEqual({ count: 1, ratio: null })
  })

  it('parses aspect ratios in common notations', () => {
    expect([ratioOf('4:5'), ratioOf('16x9'), ratioOf('1.91'), ratioOf('wide'), ratioOf(0)]).toEqual([
      0.8,
      16 / 9,
      1.91,
      null,
      null,
    ])
    expect([ratioName(1080 / 1350), ratioName(1.777), ratioName(1.2345), ratioName(null)]).toEqual([
      '4:5',
      '16:9',
      null,
      null,
    ])
  })
})

describe('tiles', () => {
  it('all exist before anything has run, images and videos first', () => {
    const tiles = tilesOf(run())
    expect(tiles.map(({ title, kind, state, of }) => [title, kind, state, of])).toEqual([
      ['Hero', 'image', 'waiting', 3],
      ['Hero', 'image', 'waiting', 3],
      ['Hero', 'image', 'waiting', 3],
      ['Teaser', 'video', 'waiting', 1],
      ['Voice-over', 'audio', 'waiting', 1],
    ])
    expect(tiles.map(({ ratio }) => ratio)).toEqual([1, 1, 1, 9 / 16, null])
  })

  it('keep their keys when their images arrive', () => {
    const before = tilesOf(run()).map(({ key }) => key)
    const results = RESULTS.map((result) =>
      result.step === 'logo' ? { ...result, value: [image('a'), image('b'), image('c')] } : result,
    )
    const tiles = tilesOf(run({ results, steps: { logo: step({ status: 'finished' }) } }))
    expect(tiles.map(({ key }) => key)).toEqual(before)
    expect(tiles[0]).toMatchObject({ state: 'ready', ratioName: '4:5', media: { asset_id: 'a' } })
  })

  it('follow the actual number instead of the expected one', () => {
    const results = RESULTS.map((result) => (result.step === 'logo' ? { ...result, value: [] } : result))
    expect(tilesOf(run({ results })).filter(({ title }) => title === 'Hero')).toEqual([])
  })

  it('are one per asset, at any list depth', () => {
    const value = [[image('a'), image('b', 1080, 1080)], [image('c')]]
    const results = RESULTS.map((result) => (result.step === 'logo' ? { ...result, value } : result))
    const heroes = tilesOf(run({ results })).filter(({ title }) => title === 'Hero')
    expect(heroes.map(({ media, of, place }) => [media?.asset_id, of, place])).toEqual([
      ['a', 3, [0, 0]],
      ['b', 3, [0, 1]],
      ['c', 3, [1, 0]],
    ])
  })

  it('have the progress, streamed text and error of their step', () => {
    const error = { code: 'node_failed', message: 'An error occurred. Please try again later.' }
    const steps = {
      teaser: step({ status: 'running', progress: 0.4, message: 'Rendering' }),
      logo: step({ status: 'skipped', skipped: { because: 'hero', reason: 'failed' } }),
      hero: step({ status: 'failed', error }),
    }
    const tiles = tilesOf(run({ steps }))
    expect(tiles.find(({ step }) => step === 'teaser')).toMatchObject({
      state: 'running',
      progress: 0.4,
      message: 'Rendering',
    })
    expect(tiles[0]).toMatchObject({ state: 'failed', error: 'An error occurred. Please try again later.' })
  })

  it('show a preview without being done', () => {
    const teaser = step({ status: 'running', partials: { output: [image('frame')] } })
    const tile = tilesOf(run({ steps: { teaser } })).find((each) => each.step === 'teaser')
    expect(tile).toMatchObject({
      kind: 'video',
      state: 'running',
      media: null,
      preview: { asset_id: 'frame' },
    })
  })

  it('show each preview in its own tile', () => {
    const logo = step({ status: 'running', partials: { output: [undefined, image('b')] } })
    const tiles = tilesOf(run({ steps: { logo } })).filter((each) => each.step === 'logo')
    expect(tiles.map(({ preview, place }) => [preview?.asset_id, place])).toEqual([
      [undefined, [0]],
      ['b', [1]],
      [undefined, [2]],
    ])
  })

  it('prefer values of events over the initial response', () => {
    const say = step({
      status: 'finished',
      outputs: { output: { $type: 'Audio', asset_id: 'v', seconds: 9 } },
    })
    const tile = tilesOf(run({ steps: { say } })).find((each) => each.step === 'say')
    expect(tile).toMatchObject({ state: 'ready', media: { asset_id: 'v' } })
  })

  it('stop with the run, and are left out if their branch was closed', () => {
    const stopped = tilesOf(run({ status: 'cancelled', steps: { teaser: step({ status: 'running' }) } }))
    expect(stopped.every(({ state }) => state === 'stopped')).toBe(true)
    const lost = tilesOf(run({ status: 'failed', steps: { teaser: step({ status: 'skipped' }) } }))
    expect(lost.every(({ state }) => state === 'stopped')).toBe(true)
    const closed = tilesOf(
      run({
        status: 'finished',
        steps: { teaser: step({ status: 'skipped', skipped: { because: null, reason: 'closed' } }) },
      }),
    )
    expect(shownTiles(closed).some(({ step }) => step === 'teaser')).toBe(false)
  })
})

it('show further ports of a step only once they have a value', () => {
  const results = ['output', 'data'].map((port) => ({
    step: 'write',
    port,
    type: 'Text',
    list: false,
    value: null,
  }))
  const ports = (over: Partial<StepState>) =>
    shownTiles(tilesOf(run({ results, steps: { write: step(over) } }))).map(({ port }) => port)
  expect(ports({ status: 'running' })).toEqual(['output'])
  expect(ports({ status: 'finished', outputs: { output: 'Hi' } })).toEqual(['output'])
  expect(ports({ status: 'finished', outputs: { output: 'Hi', data: { a: 1 } } })).toEqual(['output', 'data'])
})

it('name a result by its port only if another port of its step is shown', () => {
  const results = ['Text', 'Data'].map((name) => ({
    step: 'write',
    port: name.toLowerCase(),
    title: `Launch copy: ${name}`,
    type: 'Text',
    list: false,
    value: null,
  }))
  const titles = (outputs: Record<string, unknown>) =>
    shownTiles(tilesOf(run({ results, steps: { write: step({ status: 'finished', outputs }) } }))).map(
      ({ title }) => title,
    )
  expect(titles({ text: 'Hi' })).toEqual(['Launch copy'])
  expect(titles({ text: 'Hi', data: 'Ho' })).toEqual(['Launch copy: Text', 'Launch copy: Data'])
})

describe('results that say what they are', () => {
  const results = [
    { step: 'tags', port: 'output', title: 'Hashtags: Text', type: 'Text', list: false, text_of: 'data' },
    { step: 'tags', port: 'data', title: 'Hashtags: Data', type: 'Json', list: false, meaning: 'hashtags' },
    { step: 'write', port: 'output', title: 'Post', type: 'Text', list: false, meaning: 'post' },
    { step: 'check', port: 'passed', title: 'Check: Passed', type: 'Any', list: false },
  ]
  const steps = {
    tags: step({ status: 'finished', outputs: { output: '#a #b', data: { hashtags: ['#a', '#b'] } } }),
    write: step({ status: 'finished', outputs: { output: 'Out now. #a' } }),
    check: step({ status: 'finished', outputs: { passed: 'Out now. #a' } }),
  }

  it('are shown once, under the title of their node', () => {
    const tiles = shownTiles(tilesOf(run({ results, steps })))
    expect(tiles.map(({ title, content }) => [title, content])).toEqual([
      ['Hashtags', { shape: 'hashtags', hashtags: ['#a', '#b'] }],
      ['Post', { shape: 'post', text: 'Out now.', hashtags: ['#a'] }],
    ])
  })

  it('are plain text where the data is missing, and data where it has another form', () => {
    const plain = { ...steps, tags: step({ status: 'finished', outputs: { output: '#a #b' } }) }
    expect(shownTiles(tilesOf(run({ results, steps: plain })))[0]).toMatchObject({
      kind: 'text',
      content: null,
    })
    const other = { ...steps, tags: step({ status: 'finished', outputs: { data: { words: 3 } } }) }
    expect(shownTiles(tilesOf(run({ results, steps: other })))[0]).toMatchObject({
      kind: 'data',
      content: null,
    })
  })
})

describe('masks', () => {
  const results = [{ step: 'find', port: 'output', title: 'Area', type: 'Mask', list: false, value: null }]
  const mask = (id: string) => ({ $type: 'Mask', image: image(id, 640, 480) })

  it('are tiles of their own kind, with the file of the mask', () => {
    const [tile] = tilesOf(run({ results: [{ ...results[0], value: mask('m1') } as never] }))
    expect(tile).toMatchObject({ kind: 'mask', ratio: 640 / 480, media: { asset_id: 'm1' }, state: 'ready' })
    const [waiting] = tilesOf(run({ results }))
    expect(waiting).toMatchObject({ kind: 'mask', state: 'waiting' })
  })

  it('in a list have a tile each', () => {
    const list = { ...results[0], type: 'list[Mask]', list: true, value: [mask('m1'), mask('m2')] } as never
    const found = tilesOf(run({ results: [list] }))
    expect(found.map(({ kind, media, place }) => [kind, media?.asset_id, place])).toEqual([
      ['mask', 'm1', [0]],
      ['mask', 'm2', [1]],
    ])
  })
})
