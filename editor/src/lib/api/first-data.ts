/** What `public/first-data.js` requested before the application: a GET of `url` with `token`, at the time `sent`. */
type FirstData = { url: string; token: string; sent: number; answer: Promise<Response> }

/** A page that asks later, in milliseconds, wants newer data. */
const MAX_AGE = 30_000

declare global {
  interface Window {
    firstData?: FirstData | undefined
  }
}

/**
 * The answer to the request that was sent before the application, if `request` is the same. It is given once; null if
 * there is none, it is old, or it did not arrive.
 */
export async function takeFirstData(request: Request, token: string | null): Promise<Response | null> {
  const first = window.firstData
  if (first?.url !== request.url || first.token !== token || request.method !== 'GET') return null
  window.firstData = undefined
  if (Date.now() - first.sent > MAX_AGE) return null
  return first.answer.catch(() => null)
}
