// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'

type Listener = () => void

/** A fake system whose theme can be changed. */
function system(dark: boolean) {
  const listeners = new Set<Listener>()
  const query = {
    matches: dark,
    addEventListener: (_: string, listener: Listener) => listeners.add(listener),
  }
  vi.stubGlobal('matchMedia', () => query)
  return (now: boolean) => {
    query.matches = now
    for (const listener of listeners) listener()
  }
}

const fresh = () => import('./theme')
const shown = () => document.documentElement.dataset.theme

beforeEach(() => {
  vi.resetModules()
  vi.unstubAllGlobals()
})

test('the system theme applies until the user chooses one', async () => {
  const change = system(true)
  const { followTheme, setTheme } = await fresh()
  followTheme()
  expect(shown()).toBe('dark')
  change(false)
  expect(shown()).toBe('light')
  setTheme('dark')
  change(false)
  expect(shown()).toBe('dark')
})

test('a choice is stored, and can be reset to the system', async () => {
  system(false)
  localStorage.setItem('impasto.theme', 'dark')
  const { followTheme, setTheme, useTheme } = await fresh()
  followTheme()
  expect(useTheme.getState()).toEqual({ choice: 'dark', shown: 'dark' })
  setTheme('system')
  expect(shown()).toBe('light')
  expect(localStorage.getItem('impasto.theme')).toBe('system')
})

test('a choice made in another tab is followed', async () => {
  system(false)
  const { followTheme } = await fresh()
  followTheme()
  localStorage.setItem('impasto.theme', 'dark')
  window.dispatchEvent(new StorageEvent('storage', { key: 'impasto.theme' }))
  expect(shown()).toBe('dark')
})
