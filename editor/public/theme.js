// Runs before the first paint, so that a dark page does not flash white. src/lib/theme.ts takes over later.
;(() => {
  let choice = 'system'
  try {
    choice = localStorage.getItem('impasto.theme') || 'system'
  } catch {
    // Storage may be blocked; the system theme is used then.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
