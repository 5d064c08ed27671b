import { describe, expect, it } from 'vitest'
import { SAMPLE, sampleType } from '@/test/flow-samples'
import { Catalog, type NodeType } from './catalog'
import { matchedKeyword, rankNode, sections } from './node-search'

const ids = (query: string, loose: Parameters<typeof sections>[2] = null) =>
  sections(SAMPLE, query, loose).flatMap((section) => section.types.map((type) => type.id))

describe('the palette', () => {
  it('keeps the categories and their order', () => {
    expect(sections(SAMPLE, '', null).map((section) => section.category)).toEqual([
      'inputs',
      'ai_models',
      'transform_assets',
    ])
  })

  it('searches titles, summaries and port types', () => {
    expect(ids('language')).toEqual(['language_model'])
    expect(ids('brand')).toEqual(['language_model'])
    expect(ids('video')).toContain('join_clips')
    expect(ids('zzzz')).toEqual([])
  })

  it('puts the best match first over all categories: a title, then a keyword, then other texts', () => {
    const type = (id: string, more: object) => ({ ...(SAMPLE.types[0] as NodeType), id, title: id, ...more })
    const catalog = new Catalog({
      ...SAMPLE.data,
      types: [
        type('Brand check', { help: 'An agent may use it.', category: 'inputs' }),
        type('Overlay text', { keywords: ['caption', 'stamp'] }),
        type('Overlay logo', { keywords: ['stamp', 'badge', 'mark'] }),
        type('Agent', { category: 'transform_assets', keywords: ['subflow'] }),
        type('Text to speech', { category: 'transform_assets', keywords: ['tts', 'voice'] }),
      ],
    })
    const found = (query: string) =>
      sections(catalog, query, null).map(({ category, types }) => [category, types.map(({ id }) => id)])
    expect(found('Agent')).toEqual([
      ['best', ['Agent']],
      ['also', ['Brand check']],
    ])
    expect(found('tts')).toEqual([['best', ['Text to speech']]])
    expect(found('stamp')).toEqual([
      ['best', ['Overlay logo']],
      ['also', ['Overlay text']],
    ])
    expect(found('speach')).toEqual([['near', ['Text to speech']]])
    expect(matchedKeyword(catalog.types[4] as NodeType, 'voi')).toBe('voice')
    expect(matchedKeyword(catalog.types[4] as NodeType, 'text')).toBeNull()
  })

  it('finds nodes by German and French words, where no node has them in English', () => {
    const type = (id: string, keywords: string[]) => ({
      ...(SAMPLE.types[0] as NodeType),
      ...{ id, title: id, keywords },
    })
    const types = [
      type('Captions', ['subtitle']),
      type('Condition', ['if']),
      type('Choice', []),
      type('Language model', ['translate']),
      type('Bild', []),
    ]
    const catalog = new Catalog({ ...SAMPLE.data, types })
    const best = (query: string) => {
      const [first] = sections(catalog, query, null)
      return first?.category === 'best' ? first.types[0]?.id : undefined
    }
    expect(best('Untertitel')).toBe('Captions')
    expect(best('sous-titres')).toBe('Captions')
    expect(best('wenn')).toBe('Condition')
    expect(best('si')).toBe('Condition')
    expect(best('übersetzen')).toBe('Language model')
    expect(best('traduire')).toBe('Language model')
    expect(best('bild')).toBe('Bild')
    expect(best('toString')).toBeUndefined()
  })

  it('shows only types that fit an open edge', () => {
    expect(ids('', { type: 'Image', list: false, side: 'source' })).toEqual(['video_generation', 'palette'])
    expect(ids('', { type: 'Brand', list: false, side: 'target' })).toEqual([])
    expect(ids('', { type: 'Integer', list: false, side: 'source' })).toContain('language_model')
  })
})

describe('the rank of a node type', () => {
  const type = {
    ...(SAMPLE.type('language_model') as NodeType),
    title: 'Writer',
    keywords: ['llm', 'translate'],
  }

  it('is better for its title than for a keyword, and for that than for an English word of another language', () => {
    const ranks = ['writer', 'translate', 'übersetzen'].map((query) => rankNode(type, query) ?? Number.NaN)
    expect(ranks).toEqual([...ranks].sort((one, other) => one - other))
    expect(new Set(ranks).size).toBe(3)
  })

  it('is missing if no text of it has the words', () => {
    expect(rankNode(type, 'zzzz')).toBeNull()
  })
})

describe('the rank of each match', () => {
  const speak = {
    ...(SAMPLE.type('language_model') as NodeType),
    ...{ id: 'speak', title: 'Text-to speech', keywords: ['tts', 'Voice over'], summary: 'Reads aloud.' },
  }

  it.each([
    ['text-to SPEECH', 0],
    ['tts', 1],
    ['voice over', 1.5],
    ['text', 2],
    ['sp te', 3],
    ['over vo', 4],
    ['eech ext', 5],
    ['aloud', 6],
    ['brand', 6],
    ['ai_models', 6],
    ['speech aloud', 6],
    ['speech zebra', null],
  ])('of %j is %j', (query, rank) => {
    expect(rankNode(speak, query)).toBe(rank)
  })

  it('of an English word for it comes after all others', () => {
    const captions = { ...speak, title: 'Captions', keywords: ['subtitle'] }
    expect(rankNode(captions, 'Untertitel')).toBe(8)
    expect(rankNode({ ...speak, title: 'Untertitel' }, 'Untertitel')).toBe(0)
  })

  it.each([
    ['voi', 'voice over'],
    ['voice over it', 'voice over'],
    ['speech', null],
    ['zebra', null],
    ['', null],
    [' ', null],
  ])('the keyword that %j found is %j', (query, keyword) => {
    expect(matchedKeyword(speak, query)).toBe(keyword)
  })
})

describe('types whose words are near', () => {
  const near = (query: string, ...titles: string[]) => {
    const types = titles.map((title) => sampleType(title))
    const found = sections(new Catalog({ ...SAMPLE.data, types }), query, null)
    return found.map(({ category, types: those }) => [category, those.map(({ id }) => id)])
  }

  it('are the nearest first, five at most', () => {
    expect(near('palete', 'Pale', 'Other', 'Palette')).toEqual([['near', ['Palette', 'Pale']]])
    expect(
      near('palete', ...['Palette 1', 'Palette 2', 'Palette 3', 'Palette 4', 'Palette 5', 'Palette 6']),
    ).toEqual([['near', ['Palette 1', 'Palette 2', 'Palette 3', 'Palette 4', 'Palette 5']]])
  })

  it('share at least a third of their pairs of letters', () => {
    // Of two times two pairs, one is the same: a half. Of four and two, one: a third, which is too little.
    expect(near('abx', 'abc')).toEqual([['near', ['abc']]])
    expect(near('abx', 'abcde')).toEqual([])
    expect(near('x', 'a')).toEqual([])
  })
})

it('puts the types of an unknown category last, and leaves out deprecated ones', () => {
  const types = [
    sampleType('a', { category: 'plugin' }),
    sampleType('b', { category: 'ai_models' }),
    sampleType('c', { category: 'inputs', deprecated: true }),
    sampleType('d', { category: 'plugin' }),
  ]
  const found = sections(new Catalog({ ...SAMPLE.data, types }), '', null)
  expect(found.map(({ category, types: those }) => [category, those.map(({ id }) => id)])).toEqual([
    ['ai_models', ['b']],
    ['plugin', ['a', 'd']],
  ])
})
