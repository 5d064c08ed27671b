// Starts the application once the page has painted its frame. Its files are evaluated one task after another: the
// browser paints and answers taps in between. vite/staged-start.ts marks them in their order.
;(() => {
  const parts = [...document.querySelectorAll('link[data-part]')].map(({ href }) => href)

  /** Resolves after the next frame; at once on a hidden page, which has none. */
  const painted = () =>
    new Promise((done) => {
      if (document.hidden) done()
      document.addEventListener('visibilitychange', done, { once: true })
      requestAnimationFrame(() => setTimeout(done))
    })

  const pause = () => new Promise((done) => setTimeout(done))

  const start = async () => {
    await painted()
    for (const part of parts) {
      await import(part)
      await pause()
    }
  }
  void start()
})()
