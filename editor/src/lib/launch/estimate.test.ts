// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { formatEstimate, formatExpectedSeconds } from './estimate'
import { checkFiles, filesIn } from './files'

describe('formatting of estimates', () => {
  it.each([
    [0.2, 'about 1 s'],
    [6.4, 'about 6 s'],
    [41, 'about 40 s'],
    [130, 'about 2 min'],
    [null, null],
  ])('about(%s) is %s', (value, words) => expect(formatExpectedSeconds(value)).toBe(words))

  it('leaves out unknown values', () => {
    expect(formatEstimate({ usd: '0.31', seconds: 41 })).toEqual(['about 40 s', '$0.31'])
    expect(formatEstimate({ usd: '0', seconds: null })).toEqual(['$0.00'])
    expect(formatEstimate({ usd: null, seconds: null })).toEqual([])
    expect(formatEstimate({ usd: '0', seconds: 4, price_unknown: true })).toEqual([
      'about 4 s',
      'price unknown',
    ])
    expect(formatEstimate(null)).toEqual([])
  })
})

describe('files', () => {
  const file = (name: string, type: string, bytes = 3) => new File([new Uint8Array(bytes)], name, { type })

  it('accepts images and reports the errors of other files', () => {
    const sorted = checkFiles([
      file('a.png', 'image/png'),
      file('b.pdf', 'application/pdf'),
      file('c.jpg', 'image/jpeg', 0),
    ])
    expect(sorted.accepted.map(({ name }) => name)).toEqual(['a.png'])
    expect(sorted.rejected).toEqual([
      { name: 'b.pdf', reason: 'not_an_image' },
      { name: 'c.jpg', reason: 'empty' },
    ])
  })

  it('refuses a file above the upload limit', () => {
    const big = file('big.mp4', 'video/mp4')
    Object.defineProperty(big, 'size', { value: 201 * 1024 * 1024 })
    expect(checkFiles([big], 'Video').rejected).toEqual([{ name: 'big.mp4', reason: 'too_big' }])
  })

  it('finds none in dragged text', () => expect(filesIn(null)).toEqual([]))
})
