// Starts the application once the page has painted its frame: on a slow connection its files would delay the styles and
// the fonts. They are requested before any is evaluated, and evaluated one task after another: the browser paints and
// answers taps in between. vite/staged-start.ts names them in their order, vite/early-pages.ts those of the page.
;(() => {
  /** How long the files of the application wait for the first rows, in milliseconds. */
  const MAX_WAIT = 300
  /** Requests take a millisecond each on a phone. */
  const REQUESTS_AT_ONCE = 10

  const named = (list) => list?.split(' ') ?? []
  const parts = named(document.currentScript.dataset.parts)
  const files = named(document.querySelector('script[data-files]')?.dataset.files)

  /** Resolves after the next frame; at once on a hidden page, which has none. */
  const painted = () =>
    new Promise((done) => {
      if (document.hidden) done()
      document.addEventListener('visibilitychange', done, { once: true })
      requestAnimationFrame(() => setTimeout(done))
    })

  const pause = () => new Promise((done) => setTimeout(done))

  const isScript = (file) => file.endsWith('.js')

  const request = (href) => {
    const link = document.createElement('link')
    Object.assign(link, { rel: isScript(href) ? 'modulepreload' : 'preload', href, crossOrigin: '' })
    if (!isScript(href)) link.as = 'style'
    document.head.append(link)
  }

  /** Resolves once the frame shows its first rows, for whose data the files of the application would compete. */
  const drawn = () =>
    Promise.race([window.firstData?.drawn, new Promise((done) => setTimeout(done, MAX_WAIT))])

  const start = async () => {
    await painted()
    await drawn()
    const all = [...parts, ...files]
    for (let at = 0; at < all.length; at += REQUESTS_AT_ONCE) {
      for (const file of all.slice(at, at + REQUESTS_AT_ONCE)) request(file)
      await pause()
    }
    for (const script of all.filter(isScript)) {
      await import(script)
      await pause()
    }
  }
  // The router waits for it: it would evaluate the files of the page in one task. A file that does not load is reported
  // where the application needs it.
  window.pageEvaluated = start().catch(() => {})
})()
