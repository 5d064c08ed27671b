import { describe, expect, it, test } from 'vitest'
import { isMask, isMedia, mediaIn } from './media-values'
import { applyToStep, emptyStep } from './step'
import { asText, dataRepeatedBy, isStructured, previewText, sketchIn } from './values'

const SKETCH = 'data:image/jpeg;base64,AAAA'

test('a sketch of an unfinished result is shown in place of the one before, and is no medium', () => {
  const event = (sketch: string) => ({
    seq: 1,
    type: 'step.partial',
    time: 1,
    step: 'it',
    data: { port: 'images_1', value: { sketch } },
  })
  const step = applyToStep(applyToStep(emptyStep('it'), event(`${SKETCH}old`)), event(SKETCH))
  const shown = Object.values(step.partials).flat()
  expect(sketchIn(shown)).toBe(SKETCH)
  expect(mediaIn(shown)).toEqual([])
  expect(step.text).toBe('')
})

test.each(['https://elsewhere.example/a.jpg', 'data:text/html,x', 7, null])(
  'a URL that is not an image data URL is never shown: %s',
  (sketch) => {
    expect(sketchIn([{ sketch }, null, 'text'])).toBeNull()
  },
)

test('a text that repeats data as JSON is recognized, and other texts are not', () => {
  const data = { parts: [{ name: 'Freio', price: 10.5 }] }
  const text = JSON.stringify(data, null, 2)
  expect(dataRepeatedBy(text, [text, data])).toBe(data)
  expect(dataRepeatedBy(text, [text])).toBeUndefined()
  expect(dataRepeatedBy(text, [text, { parts: [] }])).toBeUndefined()
  expect(dataRepeatedBy('{ "parts": [', ['{ "parts": [', data])).toBeUndefined()
  expect(dataRepeatedBy(data, [data])).toBeUndefined()
})

const image = { $type: 'Image', asset_id: 'a' } as const

describe('media in a value', () => {
  it('are references to files', () => {
    const video = { $type: 'Video', asset_id: 'b' }
    expect(mediaIn([image, { clips: [video, 'text', null, 7] }])).toEqual([image, video])
    const others = [
      null,
      undefined,
      'Image',
      7,
      [],
      {},
      { $type: 'Image' },
      { $type: 'Brand', asset_id: 'a' },
    ]
    for (const other of [...others, { asset_id: 'a' }]) {
      expect(isMedia(other)).toBe(false)
      expect(mediaIn(other)).toEqual([])
    }
  })

  it('are the images of masks too', () => {
    const mask = { $type: 'Mask', image }
    expect(mediaIn({ area: mask })).toEqual([{ ...image, isMask: true }])
    const others = [null, 'Mask', { $type: 'Mask' }, { $type: 'Mask', image: 'a' }, { image }]
    expect(others.filter(isMask)).toEqual([])
  })
})

describe('a value as text', () => {
  it.each([
    ['a', 'a'],
    [null, ''],
    [undefined, ''],
    [true, 'Yes'],
    [['a', 'b'], 'a\n\nb'],
    [['a', 1], '[\n  "a",\n  1\n]'],
    [{ a: 1 }, '{\n  "a": 1\n}'],
    [{ cover: image }, null],
  ])('%j is copied as %j', (value, text) => expect(asText(value)).toBe(text))

  it('is a summary in a small space where it is data', () => {
    expect(previewText('a')).toBe('a')
    expect(previewText(['a', 'b'])).toBe('a\n\nb')
    expect(previewText({ scene: 'Dawn' })).not.toContain('{')
    expect(previewText({ scene: 'Dawn' })).toContain('Dawn')
    expect(previewText([image])).toBeNull()
  })

  it('is no table where it is plain', () => {
    expect([null, 'a', 7, undefined, [], ['a']].map(isStructured)).not.toContain(true)
    expect([{}, [1], ['a', {}]].map(isStructured)).not.toContain(false)
  })
})
