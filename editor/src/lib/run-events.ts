import { EventSourceParserStream } from 'eventsource-parser/stream'
import { ApiError } from './api/error'
import { authorizedFetch } from './api/fetch'

export type ServerEvent = { id: string; event: string; data: string }

export type StreamState = 'connecting' | 'live' | 'waiting' | 'closed'

type FollowOptions = {
  /** Start after this sequence number; 0 or undefined starts at the beginning. */
  after?: number
  /** Return true after the final event; the stream is then closed for good. */
  onEvent: (event: ServerEvent) => boolean | undefined
  onState?: (state: StreamState) => void
  /** The server refuses the stream (not found, forbidden); it is not requested again. */
  onRefused?: (error: ApiError) => void
}

const MIN_RETRY_DELAY_MS = 500
const MAX_RETRY_DELAY_MS = 15_000
/** The server sends a heartbeat every 15 s, so a connection without data for this long is dead. */
const MAX_SILENCE_MS = 40_000
/** A stream with a larger event is broken: it is closed, so that it cannot fill the memory. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024

/**
 * Follows a stream of server-sent events with the bearer token of the session, and reconnects without gap or
 * repetition. Returns a function that stops it.
 */
export function followEvents(path: string, options: FollowOptions): () => void {
  const stop = new AbortController()
  void follow(path, options, stop.signal)
  return () => stop.abort()
}

async function follow(path: string, options: FollowOptions, signal: AbortSignal): Promise<void> {
  const cursor = { last: options.after ? String(options.after) : '' }
  let failures = 0
  while (!signal.aborted) {
    options.onState?.('connecting')
    try {
      const seen = cursor.last
      if (await connect(path, options, cursor, signal)) return options.onState?.('closed')
      failures = cursor.last === seen ? failures + 1 : 0
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) {
        options.onState?.('closed')
        return options.onRefused?.(error)
      }
      failures += 1
    }
    options.onState?.('waiting')
    await waitBeforeRetry(failures, signal)
  }
}

/** Reads one connection; returns true after the final event. */
async function connect(
  path: string,
  options: FollowOptions,
  cursor: { last: string },
  signal: AbortSignal,
): Promise<boolean> {
  const response = await authorizedFetch(new URL(`/api/v1${path}`, window.location.origin), {
    headers: { Accept: 'text/event-stream', ...(cursor.last && { 'Last-Event-ID': cursor.last }) },
    signal,
    cache: 'no-store',
  })
  if (!response.ok || !response.body) throw await ApiError.from(response)
  options.onState?.('live')
  /** Returns true after the final event. */
  const deliver = (event: ServerEvent) => {
    if (event.id && event.id === cursor.last) return false
    cursor.last = event.id || cursor.last
    return options.onEvent(event)
  }
  const reader = eventsOf(response.body).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return false
      if (signal.aborted || deliver(value)) return true
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<ServerEvent> {
  return body
    .pipeThrough(withSilenceTimeout())
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: MAX_EVENT_CHARS }))
    .pipeThrough(
      new TransformStream({
        transform: ({ id = '', event = 'message', data }, controller) =>
          controller.enqueue({ id, event, data }),
      }),
    )
}

/** Passes bytes on, and fails when none have arrived for `MAX_SILENCE_MS`. */
function withSilenceTimeout(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = (controller: TransformStreamDefaultController) => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.error(new Error('The stream fell silent.')), MAX_SILENCE_MS)
  }
  return new TransformStream({
    start: wait,
    transform(chunk, controller) {
      wait(controller)
      controller.enqueue(chunk)
    },
    flush: () => clearTimeout(timer),
  })
}

function waitBeforeRetry(failures: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** Math.max(0, failures - 1))
  return new Promise((done) => {
    const timer = setTimeout(done, longest * (0.75 + Math.random() / 4))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
}
