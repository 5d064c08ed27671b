// Starts the application once the page has painted its frame: on a slow connection its files would delay the styles and
// the fonts. They are requested together, and evaluated one task after another: the browser paints and answers taps in
// between. vite/staged-start.ts names them in their order, vite/early-pages.ts those of the page.
;(() => {
  /** In milliseconds. */
  const MAX_WAIT = 300

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

  const request = (href) => {
    const link = document.createElement('link')
    const isScript = href.endsWith('.js')
    Object.assign(link, { rel: isScript ? 'modulepreload' : 'preload', href, crossOrigin: '' })
    if (!isScript) link.as = 'style'
    document.head.append(link)
  }

  /** Resolves once the frame shows its first rows, for whose data the files of the application would compete. */
  const drawn = () =>
    Promise.race([window.firstData?.drawn, new Promise((done) => setTimeout(done, MAX_WAIT))])

  const start = async () => {
    await painted()
    await drawn()
    for (const file of [...parts, ...files]) request(file)
    for (const part of parts) {
      await import(part)
      await pause()
    }
  }
  void start()
})()
