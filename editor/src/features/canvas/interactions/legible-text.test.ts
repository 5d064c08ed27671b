// @vitest-environment jsdom
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { followZoom, legibleText } from './legible-text'

test.each([1, 0.9, 0.75, 0.65, 0.6, 0.55])(
  'text on cards has at least 12 px on screen at a zoom of %s',
  (zoom) => {
    expect(legibleText(zoom).size * zoom).toBeGreaterThanOrEqual(12)
  },
)

test('text stops growing where a card would hold no words, and has fewer lines when it is large', () => {
  expect([1, 0.75, 0.65, 0.4, 0.1].map(legibleText)).toEqual([
    { size: 12, lines: 4, longLines: 5 },
    { size: 16, lines: 3, longLines: 4 },
    { size: 19, lines: 3, longLines: 3 },
    { size: 22, lines: 2, longLines: 3 },
    { size: 22, lines: 2, longLines: 3 },
  ])
})

describe('followZoom', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('sets the size of text at once, seldom while the zoom goes on, and for where it ends', () => {
    vi.useFakeTimers()
    const root = document.createElement('div')
    const view = createStore(() => ({ zoom: 0.75 }))
    const size = () => root.style.getPropertyValue('--legible')
    const stop = followZoom(root, view)
    expect(size()).toBe('16px')

    view.setState({ zoom: 0.7 })
    expect(size()).toBe('18px')
    for (const zoom of [0.66, 0.63, 0.6]) {
      vi.advanceTimersByTime(16)
      view.setState({ zoom })
    }
    expect(size()).toBe('18px')
    vi.runAllTimers()
    expect(size()).toBe('20px')

    stop()
    view.setState({ zoom: 1 })
    vi.runAllTimers()
    expect(size()).toBe('20px')
  })
})
