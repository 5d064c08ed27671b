// Requests the first data of the page before the code of the page, which takes the answer (src/lib/api/first-data.ts).
// Where the places of the first rows are known, it also shows them in the frame.
;(() => {
  const PATHS = {
    home: '/flows/?include_all=false&mine=false&limit=48',
    runs: '/runs/?limit=50',
    library: '/assets/library?limit=100',
  }
  const PHONES = '(min-width: 360px) and (max-width: 460px)'
  /** The widths at which the first row is where src/styles/frame.css has it. */
  const WIDTHS = { runs: PHONES, library: `${PHONES}, (min-width: 768px)` }
  /** More do not fit into the view. */
  const MAX_ITEMS = matchMedia(PHONES).matches ? 8 : 24
  /** A token that expires within these milliseconds is refreshed first, by the application. */
  const EXPIRY_MARGIN = 60_000
  const { page } = document.documentElement.dataset
  const path = PATHS[page]
  if (!path || location.search) return
  let session = null
  try {
    session = JSON.parse(localStorage.getItem('impasto.session'))
  } catch {
    // Without a readable session, the application requests the data.
  }
  if (typeof session?.token !== 'string' || !(session.expires - Date.now() > EXPIRY_MARGIN)) return

  const url = new URL(`/api/v1${path}`, location.origin).href
  // Asynchronous: a token that no request can carry rejects the answer.
  const request = async () => {
    const headers = { Accept: 'application/json', Authorization: `Bearer ${session.token}` }
    return fetch(url, { headers, credentials: 'same-origin' })
  }
  const answer = request()

  const element = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties)
    made.append(...children)
    return made
  }
  const dayOf = ({ created_at }) => new Date(created_at).toDateString()
  const show = {
    // The day's heading is above its first row; those of other days would move the rows below them.
    runs: (items) =>
      items
        .filter((item) => dayOf(item) === dayOf(items[0]))
        .map(({ title }) => element('div', {}, element('p', { textContent: title ?? '' }))),
    library: (items) =>
      items.map((item) => {
        const image = item.thumbnail_url ?? (item.kind === 'image' ? item.url : null)
        return element('div', {}, ...(image ? [element('img', { src: image, alt: '' })] : []))
      }),
  }[page]

  const draw = async () => {
    const response = await answer
    if (!response.ok) return
    const { items } = await response.clone().json()
    const rows = document.querySelector('#frame .rows')
    // The application may have rendered before, and hidden the frame.
    if (rows.getClientRects().length === 0) return
    rows.append(...show(items.slice(0, MAX_ITEMS)))
    await Promise.allSettled([...rows.querySelectorAll('img')].slice(0, 2).map((image) => image.decode()))
  }
  answer.catch(() => {})
  // What fails here the application reports, when it asks again.
  const drawn = show && matchMedia(WIDTHS[page]).matches ? draw().catch(() => {}) : null
  window.firstData = { url, token: session.token, sent: Date.now(), answer, drawn }
})()
