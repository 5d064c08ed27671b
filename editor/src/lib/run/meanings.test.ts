import { describe, expect, it } from 'vitest'
import { contentOf, contentText, splitHashtags } from './meanings'

describe('captions', () => {
  it('are split from their closing hashtags', () => {
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

describe('content by its meaning', () => {
  it('reads a shot list as a table with its title', () => {
    const content = contentOf('shot_list', {
      title: 'Reel',
      shots: [{ seconds: 4, light: 'low', scene: 'Dawn' }],
    })
    expect(content && contentText(content)).toBe('Reel\n\nScene\tLight\tSeconds\nDawn\tlow\t4')
  })

  it('reads the checks of a brand check; a check without a verdict is open', () => {
    const checks = [
      { title: 'tone', passed: true, reason: 'Fits.' },
      { title: 'Logo', reason: 'No logo.' },
    ]
    expect(contentOf('brand_check', { checks })).toEqual({
      shape: 'checks',
      checks: [
        { title: 'Tone', passed: true, reason: 'Fits.' },
        { title: 'Logo', passed: null, reason: 'No logo.' },
      ],
    })
  })

  it('reads a post from a text or from a caption with hashtags', () => {
    const post = { shape: 'post', text: '新発売。', hashtags: ['#朝'] }
    expect(contentOf('post', '新発売。 #朝')).toEqual(post)
    expect(contentOf('post', { caption: '新発売。', hashtags: ['#朝'] })).toEqual(post)
  })

  it('writes a palette as one colour code per line', () => {
    const content = contentOf('palette', ['#de4f2a', '#204080'])
    expect(content && contentText(content)).toBe('#de4f2a\n#204080')
  })

  it('reads colors as text or with their shares', () => {
    expect(contentOf('palette', ['#de4f2a'])).toMatchObject({ colors: [{ hex: '#de4f2a', share: null }] })
    expect(contentOf('palette', { colours: [{ hex: '#de4f2a', share: 0.4 }] })).toMatchObject({
      colors: [{ share: 0.4 }],
    })
  })

  it.each([
    ['hashtags', { hashtags: [] }],
    ['shot_list', 'text'],
    ['brand_check', { checks: ['a'] }],
    ['palette', ['red']],
    ['ad', 7],
    ['constructor', 'text'],
    ['recipe', 'text'],
    [null, 'text'],
  ])('is none for %j with a value of another form', (meaning, value) => {
    expect(contentOf(meaning, value)).toBeNull()
  })
})
