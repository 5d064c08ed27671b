import { describe, expect, it } from 'vitest'
import { extensionOf, fileStem } from '@/lib/files/name'
import { columnTitle, layOut } from './table'
import { loadingMessage, splitHashtags } from './words'

describe('loading messages', () => {
  it('take turns and begin again', () => {
    expect([0, 4, 8, 12, 16].map((elapsed) => loadingMessage(elapsed))).toEqual([
      'looking',
      'magic',
      'touch',
      'generating',
      'looking',
    ])
    expect(loadingMessage(0, 2)).toBe('touch')
  })
})

describe('captions', () => {
  it('part from the hashtags that close them', () => {
    expect(splitHashtags('Out now. #coldbrew #goldenhour\n')).toEqual({
      body: 'Out now.',
      hashtags: ['#coldbrew', '#goldenhour'],
    })
  })

  it('keep a hashtag in the middle of a sentence', () => {
    const text = 'Our #coldbrew is out now.'
    expect(splitHashtags(text)).toEqual({ body: text, hashtags: [] })
  })
})

describe('file names', () => {
  it('are plain', () => {
    expect([fileStem('Héro, 4:5!'), fileStem('…')]).toEqual(['hero-4-5', 'asset'])
    expect([extensionOf('image/png'), extensionOf('text/plain; charset=utf-8'), extensionOf(null)]).toEqual([
      'png',
      'txt',
      'bin',
    ])
  })
})

describe('JSON for reading', () => {
  it('is a table when it holds alike objects', () => {
    expect(
      layOut({
        shots: [
          { n: 1, lens: '35 mm' },
          { n: 2, tags: ['a', 'b'] },
        ],
      }),
    ).toEqual({
      shape: 'table',
      columns: ['n', 'lens', 'tags'],
      rows: [
        ['1', '35 mm', ''],
        ['2', '', 'a, b'],
      ],
    })
  })

  it('is a list of facts, a list or plain text otherwise', () => {
    expect(layOut({ title: 'A', price: 3 })).toEqual({
      shape: 'facts',
      facts: [
        ['title', 'A'],
        ['price', '3'],
      ],
    })
    expect(layOut(['a', 2])).toEqual({ shape: 'list', items: ['a', '2'] })
    expect(layOut(true)).toEqual({ shape: 'plain', text: 'true' })
    expect(columnTitle('shot_list')).toBe('Shot list')
  })
})
