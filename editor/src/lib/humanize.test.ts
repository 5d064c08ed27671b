import { describe, expect, it, test } from 'vitest'
import { choiceLabel, formatLabel, humanize, modelLabel, typeLabel } from './humanize'

describe('humanize', () => {
  it.each([
    ['auto', 'Automatic'],
    ['social_post', 'Social post'],
    [true, 'Yes'],
    [false, 'No'],
    [4, '4'],
    [null, ''],
    [undefined, ''],
  ])('turns the raw value %j into %j', (value, label) => {
    expect(humanize(value)).toBe(label)
  })

  it.each(['9:16', 'gpt-5-mini', 'Two words', 'constructor', 'red shoes', 'snake_Case'])(
    'leaves text alone that is not an identifier: %j',
    (text) => {
      expect(humanize(text)).toBe(text)
    },
  )
})

test('choice labels are in sentence case', () => {
  expect(
    ['none', 'push in', 'as long as the clips', 'PNG', '4:5', 'mistral', 'auto'].map(choiceLabel),
  ).toEqual(['None', 'Push in', 'As long as the clips', 'PNG', '4:5', 'Mistral', 'Automatic'])
})

test('value types have names for one value and for a list', () => {
  expect(typeLabel('Image')).toBe('Image')
  expect(typeLabel('Image', true)).toBe('Images')
  expect(typeLabel('Json')).toBe('Data')
  expect(typeLabel('Any')).toBe('Anything')
  expect(typeLabel('acme.BookChapter')).toBe('Book chapter')
  expect(typeLabel('acme.BookChapter', true)).toBe('Book chapter list')
  expect(typeLabel('constructor')).toBe('Constructor')
})

test('models are named without their owner', () => {
  expect(modelLabel('black-forest-labs/flux-1.1-pro')).toBe('flux-1.1-pro')
  expect(modelLabel('gpt-5-mini')).toBe('gpt-5-mini')
})

test('media types are named by their format', () => {
  expect(
    ['image/png', 'audio/mpeg', 'text/plain; charset=utf-8', 'application/x-tar'].map(formatLabel),
  ).toEqual(['PNG', 'MP3', 'Text', 'TAR'])
})
