// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { pressed, shown } from './shortcut-keys'

const press = (key: string, held: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...held })

test('a key is taken with what is written beside it, and with nothing else', () => {
  expect(pressed(press('ArrowRight', { altKey: true }), 'alt+arrowright')).toBe(true)
  expect(pressed(press('ArrowRight'), 'alt+arrowright')).toBe(false)
  expect(pressed(press('d', { ctrlKey: true }), 'mod+d')).toBe(true)
  expect(pressed(press('d', { ctrlKey: true, altKey: true }), 'mod+d')).toBe(false)
  expect(pressed(press('Z', { ctrlKey: true, shiftKey: true }), 'mod+z')).toBe(false)
  expect(pressed(press('Backspace'), 'delete')).toBe(true)
})

test('plus is a key, too, wherever it lies', () => {
  expect(pressed(press('+', { shiftKey: true }), '+')).toBe(true)
  expect(pressed(press('+'), '+')).toBe(true)
  expect(pressed(press('='), '+')).toBe(false)
  expect(shown('+')).toBe('+')
})

test('keys are shown as they are printed on a keyboard', () => {
  expect(shown('mod+shift+z')).toBe('Ctrl Shift Z')
  expect(shown('alt+arrowright')).toBe('Alt →')
  expect(shown('delete')).toBe('Del')
})
