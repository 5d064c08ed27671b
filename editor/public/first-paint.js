// Runs before the first paint: a dark page does not flash white, and the frame and heading of the page are shown while
// its code loads. src/lib/theme.ts and the page take over later.
;(() => {
  /** The page to sign in, and the pages that send visitors without a session to it. */
  const GUARDED = /^\/(login|flow|runs?|library|brands|account|admin)?(\/|$)/
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
  const { pathname } = location
  const isSignedIn = stored('impasto.session') !== null
  if (isSignedIn ? /^\/(login|onboarding)/.test(pathname) : !GUARDED.test(pathname)) return
  const isEditor = /^\/flow\/[^/]+$/.test(pathname)
  const known = isEditor ? 'editor' : { '/': 'home', '/runs': 'runs', '/library': 'library' }[pathname]
  const page = isSignedIn ? known : 'login'
  root.dataset.frame = isSignedIn ? (isEditor ? 'editor' : 'page') : 'sign-in'
  if (page) root.dataset.page = page
})()
