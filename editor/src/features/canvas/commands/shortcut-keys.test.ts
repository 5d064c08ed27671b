// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { formatShortcut, isPressed } from './shortcut-keys'

const press = (key: string, held: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...held })

test('a shortcut matches exactly its modifiers', () => {
  expect(isPressed(press('ArrowRight', { altKey: true }), 'alt+arrowright')).toBe(true)
  expect(isPressed(press('ArrowRight'), 'alt+arrowright')).toBe(false)
  expect(isPressed(press('d', { ctrlKey: true }), 'mod+d')).toBe(true)
  expect(isPressed(press('d', { ctrlKey: true, altKey: true }), 'mod+d')).toBe(false)
  expect(isPressed(press('Z', { ctrlKey: true, shiftKey: true }), 'mod+z')).toBe(false)
  expect(isPressed(press('Backspace'), 'delete')).toBe(true)
})

test('plus is matched on any keyboard layout', () => {
  expect(isPressed(press('+', { shiftKey: true }), '+')).toBe(true)
  expect(isPressed(press('+'), '+')).toBe(true)
  expect(isPressed(press('='), '+')).toBe(false)
  expect(formatShortcut('+')).toBe('+')
})

test('Shift with a digit is matched by the place of the key', () => {
  const held = { shiftKey: true, code: 'Digit1' }
  for (const typed of ['!', '1', '+']) expect(isPressed(press(typed, held), 'shift+1')).toBe(true)
  expect(isPressed(press('!', held), 'shift+2')).toBe(false)
  expect(isPressed(press('&', { code: 'Digit1' }), 'shift+1')).toBe(false)
})

test('a letter is matched by the place of its key on layouts of other scripts', () => {
  const undo = { ctrlKey: true, code: 'KeyZ' }
  for (const typed of ['я', 'ζ', 'ז', 'ئ', 'ㅋ']) expect(isPressed(press(typed, undo), 'mod+z')).toBe(true)
  expect(isPressed(press('Я', { ...undo, shiftKey: true }), 'mod+shift+z')).toBe(true)
  expect(isPressed(press('ь', { code: 'KeyM' }), 'm')).toBe(true)
  expect(isPressed(press('я', undo), 'mod+y')).toBe(false)
  // On a Latin layout the letter counts, wherever its key is.
  expect(isPressed(press('y', undo), 'mod+z')).toBe(false)
  expect(isPressed(press('ö', undo), 'mod+z')).toBe(false)
})

test('shortcuts are formatted with the symbols of the platform', () => {
  expect(formatShortcut('mod+shift+z')).toBe('Ctrl Shift Z')
  expect(formatShortcut('alt+arrowright')).toBe('Alt →')
  expect(formatShortcut('delete')).toBe('Del')
})
