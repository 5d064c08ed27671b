// Runs before the first paint, so that a dark page never flashes white. The store in src/lib/theme.ts takes over.
;(() => {
  let choice = 'system'
  try {
    choice = localStorage.getItem('impasto.theme') || 'system'
  } catch {
    // Storage can be forbidden; the system's own theme is then the answer.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
