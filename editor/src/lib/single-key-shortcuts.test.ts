// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { isSingle, keepSingleKeys, singleKeys } from './single-key-shortcuts'

const press = (key: string, more: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...more })

describe('single keys', () => {
  it('are signs alone, and not what moves or what Control makes a command of', () => {
    expect(['/', '?', '0', '+'].every((key) => isSingle(press(key)))).toBe(true)
    expect(['Enter', 'Tab', 'ArrowUp', 'Delete', ' '].some((key) => isSingle(press(key)))).toBe(false)
    expect(isSingle(press('z', { ctrlKey: true }))).toBe(false)
  })

  it('stay off once they are turned off', () => {
    keepSingleKeys(false)
    expect(singleKeys()).toBe(false)
    expect(window.localStorage.getItem('impasto.single-keys')).toBe('false')
    keepSingleKeys(true)
    expect(singleKeys()).toBe(true)
  })
})
