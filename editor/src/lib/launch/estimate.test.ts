// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { createElement, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startBackend } from '@/test/backend'
import type { FlowDetail } from '../api/flows'
import { queryClient } from '../query-client'
import { formatEstimate, formatExpectedSeconds, useEstimate } from './estimate'
import { checkFiles, filesIn } from './files'

const backend = startBackend()

describe('formatting of estimates', () => {
  it.each([
    [0.2, 'about 1 s'],
    [1.49, 'about 1 s'],
    [1.5, 'about 2 s'],
    [6.4, 'about 6 s'],
    [9.4, 'about 9 s'],
    [10, 'about 10 s'],
    [10.6, 'about 10 s'],
    [41, 'about 40 s'],
    [89, 'about 90 s'],
    [90, 'about 2 min'],
    [130, 'about 2 min'],
    [3600, 'about 60 min'],
    [null, null],
    [undefined, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])('about(%s) is %s', (value, words) => expect(formatExpectedSeconds(value)).toBe(words))

  it('leaves out unknown values', () => {
    expect(formatEstimate({ usd: '0.31', seconds: 41 })).toEqual(['about 40 s', '$0.31'])
    expect(formatEstimate({ usd: '0', seconds: null })).toEqual(['$0.00'])
    expect(formatEstimate({ usd: null, seconds: null })).toEqual([])
    expect(formatEstimate({ usd: '0', seconds: 4, price_unknown: true })).toEqual([
      'about 4 s',
      'price unknown',
    ])
    expect(formatEstimate(null)).toEqual([])
  })
})

describe('files', () => {
  const file = (name: string, type: string, bytes = 3) => new File([new Uint8Array(bytes)], name, { type })

  it('accepts images and reports the errors of other files', () => {
    const sorted = checkFiles([
      file('a.png', 'image/png'),
      file('b.pdf', 'application/pdf'),
      file('c.jpg', 'image/jpeg', 0),
    ])
    expect(sorted.accepted.map(({ name }) => name)).toEqual(['a.png'])
    expect(sorted.rejected).toEqual([
      { name: 'b.pdf', reason: 'not_an_image' },
      { name: 'c.jpg', reason: 'empty' },
    ])
  })

  it('refuses a file above the upload limit', () => {
    const big = file('big.mp4', 'video/mp4')
    Object.defineProperty(big, 'size', { value: 201 * 1024 * 1024 })
    expect(checkFiles([big], 'Video').rejected).toEqual([{ name: 'big.mp4', reason: 'too_big' }])
  })

  it('finds none in dragged text', () => expect(filesIn(null)).toEqual([]))
})
const AGENT = { id: 'agent', estimate: { usd: '0.10', seconds: 2 } } as unknown as FlowDetail

function estimating(brief: string) {
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: queryClient }, children)
  const { rerender, result } = renderHook((text: string) => useEstimate(AGENT, { brief: text }, 'draft'), {
    initialProps: brief,
    wrapper,
  })
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  return { result, wait, type: (text: string) => rerender(text) }
}

/** The briefs for which an estimate was requested. */
const asked = () =>
  queryClient
    .getQueryCache()
    .findAll({ queryKey: ['runs', 'estimate', 'agent'] })
    .map(({ queryKey }) => (queryKey[4] as { brief: string }).brief)

describe('the estimate of a launch', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    queryClient.clear()
    backend.use(http.post('*/estimate', () => HttpResponse.json({ usd: '0.50', seconds: 9 })))
  })

  afterEach(() => vi.useRealTimers())

  it('is requested when the inputs have not changed for a quarter of a second', async () => {
    const { type, wait } = estimating('a')
    type('ab')
    await wait(200)
    type('abc')
    await wait(249)
    expect(asked()).toEqual(['a'])
    await wait(1)
    expect(asked()).toEqual(['a', 'abc'])
  })

  it('is that of the agent until the server has answered', () => {
    expect(estimating('a').result.current).toBe(AGENT.estimate)
  })
})
