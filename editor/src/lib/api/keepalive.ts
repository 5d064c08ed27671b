/** Requests that outlive their page. */

/** Browsers fail a request if the bodies of all that outlive their page are together larger than 64 KiB. */
const MAX_BYTES = 60 * 1024

let inFlight = 0

/**
 * Lets a request with a small JSON body reach the server even if the page is reloaded or closed at once, as far as
 * the browser allows: a POST, and any that asks for it. Returns the request to send, and what to call when it has ended.
 */
export async function withKeepalive(request: Request): Promise<[Request, () => void]> {
  const type = request.headers.get('Content-Type')
  const isFile = type !== null && !type.startsWith('application/json')
  if (isFile || (request.method !== 'POST' && !request.keepalive)) return [request, () => undefined]
  const bytes = (await request.clone().arrayBuffer()).byteLength
  if (inFlight + bytes > MAX_BYTES) {
    return [request.keepalive ? new Request(request, { keepalive: false }) : request, () => undefined]
  }
  inFlight += bytes
  const release = () => {
    inFlight -= bytes
  }
  return [request.keepalive ? request : new Request(request, { keepalive: true }), release]
}
