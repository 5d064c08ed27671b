import { describe, expect, it } from 'vitest'
import type { Notice } from './estimate'
import type { Field } from './fields'
import { chipText, isAnswered, suggestionsOf } from './suggestions'

const field = (step: string, setting: string, more: Partial<Field> = {}): Field => ({
  id: `${step}.${setting}`,
  title: setting,
  help: '',
  kind: 'number',
  valueType: 'Number',
  list: false,
  required: false,
  initial: 1,
  schema: { type: 'integer', maximum: 8 },
  exposed: { group: step, type: 'image_generation', setting, makes: 'Image' },
  ...more,
})
const asks = (step: string, settings: Record<string, unknown>) => ({ step, settings }) as Notice

const count = field('paint', 'n_images')
const shape = field('paint', 'aspect_ratio', { kind: 'choice', schema: { type: 'string' } })
const inner = field('film', 'seconds', { exposed: null })
const fields = [count, shape, inner, field('film', 'n_images')]

describe('what a brief asks for', () => {
  it('is suggested by step where launchers may set it to that value', () => {
    const notices = [
      asks('paint', { n_images: 6 }),
      asks('film', { seconds: 4, n_images: 9, unknown: 1 }),
      asks('paint', { aspect_ratio: '1:1' }),
      {} as Notice,
    ]
    expect(suggestionsOf(notices, fields)).toEqual([
      {
        step: 'paint',
        changes: [
          { field: count, value: 6 },
          { field: shape, value: '1:1' },
        ],
      },
    ])
  })

  it('is answered where a chip sets all of it, or where only another step offers it', () => {
    const six = asks('paint', { n_images: 6, aspect_ratio: '1:1' })
    const isDone = (notice: Notice) => isAnswered(notice, suggestionsOf([notice], fields), fields)
    expect(isDone(six)).toBe(true)
    expect(isDone(asks('frames', { n_images: 6 }))).toBe(true)
    expect(isDone(asks('paint', { n_images: 9 }))).toBe(false)
    expect(isDone(asks('paint', { n_images: 6, seconds: 4 }))).toBe(false)
    expect(isDone(asks('paint', {}))).toBe(false)
    expect(isDone({} as Notice)).toBe(false)
    expect(isAnswered(six, suggestionsOf([asks('film', { n_images: 6 })], fields), fields)).toBe(false)
  })

  it('is named on its chip by its count, its shape, or the title of its field', () => {
    const text = (one: Field, value: unknown) =>
      chipText({ field: one, value }, (images) => `${images} images`)
    expect(text(count, 6)).toBe('6 images')
    expect(text(shape, '1:1')).toBe('1:1')
    expect(text(count, 'six')).toBe('n_images: six')
    expect(text(inner, 4)).toBe('seconds: 4')
  })
})
