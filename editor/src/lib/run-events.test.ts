// @vitest-environment jsdom
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startBackend } from '@/test/backend'
import { parseEvent, serverEvents } from './event-stream'
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

test.each([
  ['event: a\nid: 3\ndata: x', { event: 'a', id: '3', data: 'x' }],
  ['data:x\ndata: y', { event: 'message', id: '', data: 'x\ny' }],
  ['data: x\r\nid: 4', { event: 'message', id: '4', data: 'x' }],
  [': heartbeat', null],
  ['event: a', null],
])('%j is %j', (text, event) => expect(parseEvent(text)).toEqual(event))

test('events are parsed whole, however the bytes are split', async () => {
  const bytes = new TextEncoder().encode(`: hello\n\n${block(1)}data: é\n\n`)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
      controller.close()
    },
  })
  const seen: string[] = []
  for await (const { data } of serverEvents(body)) seen.push(data)
  expect(seen).toEqual(['{"seq":1}', 'é'])
})

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
