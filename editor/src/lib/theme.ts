import { create } from 'zustand'

export type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = 'impasto.theme'
const system = () => window.matchMedia('(prefers-color-scheme: dark)')

function stored(): ThemeChoice {
  try {
    const storedChoice = localStorage.getItem(KEY)
    return storedChoice === 'light' || storedChoice === 'dark' ? storedChoice : 'system'
  } catch {
    return 'system'
  }
}

function resolve(choice: ThemeChoice): 'light' | 'dark' {
  if (choice !== 'system') return choice
  return system().matches ? 'dark' : 'light'
}

export const useTheme = create<{ choice: ThemeChoice; shown: 'light' | 'dark' }>(() => {
  const choice = stored()
  return { choice, shown: resolve(choice) }
})

/** Stores the choice and repaints. Stored as plain text, because `public/first-paint.js` reads it before any module loads. */
export function setTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // Blocked storage: the choice applies to this page only.
  }
  show(choice)
}

function show(choice: ThemeChoice): void {
  const shown = resolve(choice)
  document.documentElement.dataset.theme = shown
  useTheme.setState({ choice, shown })
}

/** Follows the theme of the system and choices made in other tabs. Call once. */
export function followTheme(): void {
  show(useTheme.getState().choice)
  system().addEventListener('change', () => show(useTheme.getState().choice))
  window.addEventListener('storage', (event) => {
    if (event.key === KEY) show(stored())
  })
}
