import { randomId } from '../ids'
import type { Asset } from './assets'
import { ApiError } from './error'
import { freshToken } from './refresh'

type UploadOptions = {
  /** From 0 to 1, the fraction of bytes sent. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
  /** Whether the library leaves the file out, because it means nothing on its own. */
  isIntermediate?: boolean
}

/** The server takes four uploads of a user at once: another tab may send one as well. */
const MAX_AT_ONCE = 3
let sendingCount = 0
const waiting: (() => void)[] = []

/** Sends a file when fewer than three are being sent; those that wait keep their order. */
export async function sendInTurn<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  if (sendingCount < MAX_AT_ONCE) sendingCount += 1
  else await new Promise<void>((begin) => waiting.push(begin))
  try {
    return await send()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else sendingCount -= 1
  }
}

/**
 * Uploads a file to the library, in its turn. Throws `ApiError`, or an `AbortError` once `signal` has stopped it.
 * Uses XMLHttpRequest, since `fetch` does not report upload progress.
 */
export function uploadAsset(file: File, options: UploadOptions = {}): Promise<Asset> {
  return sendInTurn(() => upload(file, options))
}

async function upload(file: File, { onProgress, signal, isIntermediate }: UploadOptions): Promise<Asset> {
  signal?.throwIfAborted()
  const token = await freshToken()
  signal?.throwIfAborted()
  const form = new FormData()
  form.set('file', file)
  return new Promise<Asset>((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open('POST', `/api/v1/assets/${isIntermediate ? '?intermediate=true' : ''}`)
    if (token) sending.setRequestHeader('Authorization', `Bearer ${token}`)
    sending.setRequestHeader('Idempotency-Key', randomId())
    sending.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    sending.onload = () => {
      if (sending.status < 300) resolve(JSON.parse(sending.responseText) as Asset)
      else ApiError.from(responseOf(sending)).then(reject, reject)
    }
    sending.onerror = () => reject(ApiError.unreachable())
    sending.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
    signal?.addEventListener('abort', () => sending.abort(), { once: true })
    sending.send(form)
  })
}

function responseOf(sending: XMLHttpRequest): Response {
  return new Response(sending.responseText, { status: sending.status || 500 })
}
