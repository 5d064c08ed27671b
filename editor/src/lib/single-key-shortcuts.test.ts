// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { hasSingleKeyShortcuts, isSingleKey, setSingleKeyShortcuts } from './single-key-shortcuts'

const press = (key: string, more: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...more })

describe('single keys', () => {
  it('are printable characters without Control', () => {
    expect(['/', '?', '0', '+'].every((key) => isSingleKey(press(key)))).toBe(true)
    expect(['Enter', 'Tab', 'ArrowUp', 'Delete', ' '].some((key) => isSingleKey(press(key)))).toBe(false)
    expect(isSingleKey(press('z', { ctrlKey: true }))).toBe(false)
  })

  it('stay off once they are turned off', () => {
    setSingleKeyShortcuts(false)
    expect(hasSingleKeyShortcuts()).toBe(false)
    expect(window.localStorage.getItem('impasto.single-keys')).toBe('false')
    setSingleKeyShortcuts(true)
    expect(hasSingleKeyShortcuts()).toBe(true)
  })
})
