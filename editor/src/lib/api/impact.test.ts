// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './error'
import { regenerate } from './impact'
import { request } from './request'

vi.mock('./request', () => ({ request: vi.fn() }))

const SELECTION = { asset_ids: [], flow_ids: ['agent'] }
const batch = (started: number, next: string | null, leftOut = 0) => ({
  regenerations: Array.from({ length: started }, (_, id) => ({ id })),
  left_out: leftOut,
  reason: leftOut > 0 ? 'Its agent cannot run.' : null,
  next_cursor: next,
})
const cursors = () =>
  vi
    .mocked(request)
    .mock.calls.map(([, , options]) => (options as { body: { cursor: string | null } }).body.cursor)

beforeEach(() => {
  vi.mocked(request).mockReset()
})

test('batches are started until none is left, and each is reported', async () => {
  vi.mocked(request)
    .mockResolvedValueOnce(batch(50, 'a'))
    .mockResolvedValueOnce(batch(0, 'b', 50))
    .mockResolvedValueOnce(batch(7, null))
  const seen: number[] = []
  const result = await regenerate(
    'brand',
    2,
    SELECTION,
    ({ started }) => seen.push(started),
    new AbortController().signal,
    'key',
  )
  expect(cursors()).toEqual([null, 'a', 'b'])
  expect(seen).toEqual([50, 50, 57])
  expect(result).toEqual({ started: 57, leftOut: 50, reason: 'Its agent cannot run.' })
})

test('a full queue is waited for, and the same batch is sent again', async () => {
  vi.useFakeTimers()
  vi.mocked(request)
    .mockResolvedValueOnce(batch(50, 'a'))
    .mockRejectedValueOnce(new ApiError(429, { code: 'queued_runs_limit' }))
    .mockResolvedValueOnce(batch(1, null))
  const done = regenerate('brand', 2, SELECTION, () => {}, new AbortController().signal, 'key')
  await vi.runAllTimersAsync()
  expect((await done).started).toBe(51)
  expect(cursors()).toEqual([null, 'a', 'a'])
  vi.useRealTimers()
})

test('a repeat after a lost response sends the same keys, and a batch that was refused keeps its key', async () => {
  vi.useFakeTimers()
  const keys = () => vi.mocked(request).mock.calls.map(([, , options]) => options?.idempotencyKey)
  const press = () => regenerate('brand', 2, SELECTION, () => {}, new AbortController().signal, 'press')
  vi.mocked(request)
    .mockResolvedValueOnce(batch(50, 'a'))
    .mockRejectedValueOnce(new ApiError(429, { code: 'queued_runs_limit' }))
    .mockRejectedValueOnce(new ApiError(0, {}))
  const lost = expect(press()).rejects.toThrow()
  await vi.runAllTimersAsync()
  await lost
  expect(keys()).toEqual(['press-0', 'press-1', 'press-1'])
  vi.mocked(request).mockClear()
  vi.mocked(request).mockResolvedValueOnce(batch(50, 'a')).mockResolvedValueOnce(batch(7, null))
  expect((await press()).started).toBe(57)
  expect(keys()).toEqual(['press-0', 'press-1'])
  vi.useRealTimers()
})

test('the wait for a full queue ends its watch on the signal', async () => {
  vi.useFakeTimers()
  const controller = new AbortController()
  const removed = vi.spyOn(controller.signal, 'removeEventListener')
  vi.mocked(request)
    .mockRejectedValueOnce(new ApiError(429, { code: 'queued_runs_limit' }))
    .mockResolvedValueOnce(batch(1, null))
  const done = regenerate('brand', 2, SELECTION, () => {}, controller.signal, 'key')
  await vi.runAllTimersAsync()
  await done
  expect(removed).toHaveBeenCalledOnce()
  vi.useRealTimers()
})

test('no batch is started once it is stopped', async () => {
  const controller = new AbortController()
  vi.mocked(request).mockResolvedValue(batch(50, 'a'))
  const result = await regenerate('brand', 2, SELECTION, () => controller.abort(), controller.signal, 'key')
  expect(result.started).toBe(50)
  expect(cursors()).toEqual([null])
})
