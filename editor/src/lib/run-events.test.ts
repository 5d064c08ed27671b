// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startBackend } from '@/test/backend'
import { followEvents, type ServerEvent } from './run-events'

const backend = startBackend()
beforeEach(() =>
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout'],
    shouldAdvanceTime: true,
    advanceTimeDelta: 200,
  }),
)
afterEach(() => vi.useRealTimers())

const block = (seq: number, event = 'step.progress') =>
  `event: ${event}\nid: ${seq}\ndata: {"seq":${seq}}\n\n`

function stream(...pieces: string[]) {
  return new HttpResponse(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    }),
    { headers: { 'Content-Type': 'text/event-stream' } },
  )
}

function follow(after?: number) {
  const seen: string[] = []
  const states: string[] = []
  const ended = new Promise<string | undefined>((done) => {
    followEvents('/runs/r1/events', {
      after,
      onEvent: ({ id, event }: ServerEvent) => {
        seen.push(id)
        if (event !== 'run.finished') return false
        setTimeout(done)
        return true
      },
      onState: (state) => states.push(state),
      onRefused: ({ code }) => done(code),
    })
  })
  return { seen, states, ended }
}

/** The events of a stream that ends with `run.finished`. */
function received(response: Response): Promise<ServerEvent[]> {
  backend.use(http.get('*/api/v1/runs/r1/events', () => response))
  return new Promise((done) => {
    const events: ServerEvent[] = []
    followEvents('/runs/r1/events', {
      onEvent: (event) => {
        if (event.event === 'run.finished') done(events)
        else events.push(event)
        return event.event === 'run.finished'
      },
    })
  })
}

const END = block(99, 'run.finished')

test.each([
  ['event: a\nid: 3\ndata: x\n\n', [{ event: 'a', id: '3', data: 'x' }]],
  ['data:x\ndata: y\n\n', [{ event: 'message', id: '', data: 'x\ny' }]],
  ['data: x\r\nid: 4\r\n\r\n', [{ event: 'message', id: '4', data: 'x' }]],
  [': heartbeat\n\n', []],
  ['event: a\n\n', []],
])('%j is %j', async (text, events) => expect(await received(stream(text, END))).toEqual(events))

test('events are parsed whole, however the bytes are split', async () => {
  const bytes = new TextEncoder().encode(`: hello\n\n${block(1)}data: é\n\n${END}`)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  const events = await received(new HttpResponse(body))
  expect(events.map(({ data }) => data)).toEqual(['{"seq":1}', 'é'])
})

test('an event arrives as soon as its last line does, before any later byte', async () => {
  const send = new TransformStream<Uint8Array, Uint8Array>()
  const writer = send.writable.getWriter()
  backend.use(http.get('*/api/v1/runs/r1/events', () => new HttpResponse(send.readable)))
  const { seen, ended } = follow()
  await writer.write(new TextEncoder().encode(block(1)))
  await expect.poll(() => seen).toEqual(['1'])
  await writer.write(new TextEncoder().encode(block(2, 'run.finished')))
  await ended
  expect(seen).toEqual(['1', '2'])
})

test('a broken stream continues where it stopped, without gap or repetition', async () => {
  const asked: (string | null)[] = []
  const answers = [
    () => stream(block(1), block(2), 'event: step.progress\nid: 3\nda'),
    () => HttpResponse.error(),
    () => new HttpResponse(null, { status: 503 }),
    () => stream(block(2), block(3), block(4, 'run.finished')),
  ]
  backend.use(
    http.get('*/api/v1/runs/r1/events', ({ request }) => {
      asked.push(request.headers.get('Last-Event-ID'))
      return answers[asked.length - 1]?.()
    }),
  )
  const { seen, states, ended } = follow()
  await ended
  expect(asked).toEqual([null, '2', '2', '2'])
  expect(seen).toEqual(['1', '2', '3', '4'])
  expect(states.at(-1)).toBe('closed')
  expect(states).toContain('waiting')
})

test('a silent stream is closed and reconnected after the time limit', async () => {
  const asked: (string | null)[] = []
  backend.use(
    http.get('*/api/v1/runs/r1/events', ({ request }) => {
      asked.push(request.headers.get('Last-Event-ID'))
      if (asked.length > 1) return stream(block(2, 'run.finished'))
      const first = new TextEncoder().encode(block(1))
      return new HttpResponse(new ReadableStream({ start: (controller) => controller.enqueue(first) }))
    }),
  )
  const { seen, ended } = follow()
  // The silence starts with the last bytes received, not with the request.
  await expect.poll(() => seen).toEqual(['1'])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(15_000)
  await ended
  expect(seen).toEqual(['1', '2'])
  expect(asked).toEqual([null, '1'])
})

test('a stream can start after an event that is known', async () => {
  backend.use(
    http.get('*/api/v1/runs/r1/events', ({ request }) =>
      request.headers.get('Last-Event-ID') === '7' ? stream(block(8, 'run.finished')) : HttpResponse.error(),
    ),
  )
  const { seen, ended } = follow(7)
  await ended
  expect(seen).toEqual(['8'])
})

test('a refused stream is not requested again', async () => {
  const asked = vi.fn()
  backend.use(
    http.get('*/api/v1/runs/r1/events', () => {
      asked()
      return HttpResponse.json({ code: 'not_found' }, { status: 404 })
    }),
  )
  expect(await follow().ended).toBe('not_found')
  expect(asked).toHaveBeenCalledTimes(1)
})
