import { expect, test } from 'vitest'
import { mediaIn } from './media-values'
import { applyToStep, emptyStep } from './step'
import { sketchIn } from './values'

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
