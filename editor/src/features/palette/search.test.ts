import { describe, expect, it } from 'vitest'
import { SAMPLE } from '@/test/flow-samples'
import { sections } from './search'

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
    expect(ids('nothing like it')).toEqual([])
  })

  it('shows only types that fit an open edge', () => {
    expect(ids('', { type: 'Image', list: false, side: 'source' })).toEqual(['video_generation', 'palette'])
    expect(ids('', { type: 'Brand', list: false, side: 'target' })).toEqual([])
    expect(ids('', { type: 'Integer', list: false, side: 'source' })).toContain('language_model')
  })
})
