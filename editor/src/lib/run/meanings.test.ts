import { describe, expect, it } from 'vitest'
import { contentOf, contentText, splitHashtags } from './meanings'

describe('captions', () => {
  it('are split from their closing hashtags', () => {
    expect(splitHashtags('Out now. #coldbrew #goldenhour\n')).toEqual({
      body: 'Out now.',
      hashtags: ['#coldbrew', '#goldenhour'],
    })
  })

  it('are split at their end alone, which names each hashtag once', () => {
    expect(splitHashtags('Our #coldbrew.\n\n#dawn, #cold #dawn ')).toEqual({
      body: 'Our #coldbrew.',
      hashtags: ['#dawn', '#cold'],
    })
    expect(splitHashtags('#dawn')).toEqual({ body: '', hashtags: ['#dawn'] })
    expect(splitHashtags('No tag\n')).toEqual({ body: 'No tag\n', hashtags: [] })
  })

  it('keep a hashtag in the middle of a sentence', () => {
    const text = 'Our #coldbrew is out now.'
    expect(splitHashtags(text)).toEqual({ body: text, hashtags: [] })
  })
})

describe('content by its meaning', () => {
  it('reads hashtags from a text, a list or an object, each once', () => {
    const tags = (value: unknown) => contentOf('hashtags', value)
    const both = { shape: 'hashtags', hashtags: ['#dawn', '#größe_2'] }
    expect(tags('New: #dawn, #größe_2 and #dawn.')).toEqual(both)
    expect(tags(['#dawn', '#größe_2', 7, '#dawn'])).toEqual(both)
    expect(tags({ hashtags: ['#dawn', '#größe_2'] })).toEqual(both)
    expect([tags('No tag.'), tags('#'), tags([]), tags({ hashtags: '#dawn' })]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(tags('#dawn')).toEqual({ shape: 'hashtags', hashtags: ['#dawn'] })
  })

  it('reads an ad by its headline; what it lacks is empty', () => {
    const ad = { headline: ' Fresh ', body: 'Brewed cold.', call_to_action: 'Try it' }
    const read = { shape: 'ad', headline: 'Fresh', body: 'Brewed cold.', action: 'Try it' }
    expect(contentOf('ad', ad)).toEqual(read)
    expect(contentOf('ad', { headline: 'Fresh' })).toEqual({ ...read, body: '', action: '' })
    expect(contentOf('ad', { ...ad, headline: ' ' })).toBeNull()
  })

  it('reads the hashtags of a post from both of its places, each once, and its text by either name', () => {
    const post = { caption: 'Out now. #dawn', hashtags: ['#dawn', '#cold'] }
    const read = { shape: 'post', text: 'Out now.', hashtags: ['#dawn', '#cold'] }
    expect(contentOf('post', post)).toEqual(read)
    expect(contentOf('post', { text: 'Out now.', hashtags: ['#dawn', '#cold'] })).toEqual(read)
    expect(contentOf('post', { caption: '', text: '' })).toBeNull()
  })

  it('reads shots in a list by itself', () => {
    const shots = [{ scene: 'Dawn' }, { scene: 'Noon', motion: 'pan' }]
    expect(contentOf('shot_list', shots)).toMatchObject({ shape: 'shots', title: '' })
    expect(contentOf('shot_list', { shots: [{ scene: 'Dawn' }, 'Noon'] })).toBeNull()
    expect(contentOf('shot_list', [])).toBeNull()
  })

  it('has the verdict of each check', () => {
    const checks = [{ title: 'Tone', passed: false, reason: 'Too loud.' }]
    const read = contentOf('brand_check', checks)
    expect(read).toMatchObject({ checks: [{ passed: false }] })
    expect(contentOf('brand_check', [])).toBeNull()
  })

  it('has no palette with a colour that is none', () => {
    expect(contentOf('palette', [])).toBeNull()
    expect(contentOf('palette', ['#de4f2a', 'red'])).toBeNull()
    expect(contentOf('palette', ['#de4f2a00'])).toBeNull()
    expect(contentOf('palette', [{ hex: '#DE4F2A', share: 'half' }])).toMatchObject({
      colors: [{ hex: '#DE4F2A', share: null }],
    })
  })

  it.each<[string, unknown, string]>([
    ['post', { caption: 'Out now.', hashtags: ['#a', '#b'] }, 'Out now.\n\n#a #b'],
    ['post', 'Out now.', 'Out now.'],
    ['ad', { headline: 'Fresh', body: 'Cold.', call_to_action: 'Try it' }, 'Fresh\n\nCold.\n\nTry it'],
    ['ad', { headline: 'Fresh', call_to_action: 'Try it' }, 'Fresh\n\nTry it'],
    ['hashtags', '#a #b', '#a #b'],
    ['shot_list', [{ scene: 'Dawn' }], 'Scene\nDawn'],
    [
      'brand_check',
      [
        { title: 'Tone', reason: 'Fits.' },
        { title: 'logo', reason: 'None.' },
      ],
      'Tone: Fits.\nLogo: None.',
    ],
  ])('%s %j is copied as text', (meaning, value, text) => {
    const content = contentOf(meaning, value)
    expect(content && contentText(content)).toBe(text)
  })

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
