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

/** Keeps the choice and repaints. Written plainly, because `public/theme.js` reads it before any module loads. */
export function setTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // Forbidden storage: the choice holds for this page.
  }
  show(choice)
}

function show(choice: ThemeChoice): void {
  const shown = resolve(choice)
  document.documentElement.dataset.theme = shown
  useTheme.setState({ choice, shown })
}

/** Follows the system's theme and the choice made in another tab. Call once. */
export function followTheme(): void {
  show(useTheme.getState().choice)
  system().addEventListener('change', () => show(useTheme.getState().choice))
  window.addEventListener('storage', (event) => {
    if (event.key === KEY) show(stored())
  })
}
