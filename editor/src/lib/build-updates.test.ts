// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announceUpdate, checkForUpdate, reloadOnUpdate, watchForUpdates } from './build-updates'
import { markUnsaved } from './unsaved-work'

const reload = vi.fn()
const onHeldBack = vi.fn()
let forget: () => void

beforeEach(() => {
  reload.mockClear()
  onHeldBack.mockClear()
  forget = reloadOnUpdate({ onBlocked: onHeldBack, reload })
})
afterEach(() => {
  forget()
  markUnsaved('work', false)
  document.head.innerHTML = ''
  vi.unstubAllGlobals()
})

test('a newer build reloads the page, once', () => {
  announceUpdate('b2')
  announceUpdate('b2')
  expect(reload).toHaveBeenCalledTimes(1)
  announceUpdate('b3')
  expect(reload).toHaveBeenCalledTimes(2)
})

test('unsaved work prevents the reload', () => {
  markUnsaved('work', true)
  announceUpdate('b2')
  expect(reload).not.toHaveBeenCalled()
  expect(onHeldBack).toHaveBeenCalledTimes(1)
  markUnsaved('work', false)
  announceUpdate('b2')
  expect(reload).toHaveBeenCalledTimes(1)
})

test.each([
  ['b1', 0],
  ['b2', 1],
])('a page of build b1 that finds %s served reloads %s times', async (served, times) => {
  document.head.innerHTML = '<meta name="build" content="b1">'
  vi.stubGlobal('fetch', async () => Response.json({ id: served }))
  await checkForUpdate()
  expect(reload).toHaveBeenCalledTimes(times)
})

test('an unreachable server changes nothing', async () => {
  document.head.innerHTML = '<meta name="build" content="b1">'
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  await checkForUpdate()
  expect(reload).not.toHaveBeenCalled()
})

test.each([
  ['a newer build has taken its place', () => Promise.resolve(Response.json({ id: 'b2' })), 1],
  ['there is no connection', () => Promise.reject(new TypeError('offline')), 0],
  ['the build is still the same', () => Promise.resolve(Response.json({ id: 'b1' })), 0],
])('a missing script when %s', async (_, fetching, times) => {
  document.head.innerHTML = '<meta name="build" content="b1">'
  const fetched = vi.fn(fetching)
  vi.stubGlobal('fetch', fetched)
  const stop = watchForUpdates()
  window.dispatchEvent(new Event('vite:preloadError'))
  await expect.poll(() => fetched).toHaveBeenCalled()
  await new Promise((done) => setTimeout(done))
  expect(reload).toHaveBeenCalledTimes(times)
  stop()
})
