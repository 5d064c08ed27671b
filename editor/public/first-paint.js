// Runs before the first paint: a dark page does not flash white, and a signed-in user sees the frame of the page
// while its code loads. src/lib/theme.ts and the page take over later.
;(() => {
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      // Storage may be blocked; the system theme is used then.
      return null
    }
  }
  const choice = stored('impasto.theme') || 'system'
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  const root = document.documentElement
  root.dataset.theme = dark ? 'dark' : 'light'
  if (!stored('impasto.session') || location.pathname.startsWith('/onboarding')) return
  root.dataset.frame = /^\/flow\/[^/]+$/.test(location.pathname) ? 'editor' : 'page'
})()
