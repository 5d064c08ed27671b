import { describe, expect, it } from 'vitest'
import type { Card } from './card-grid'
import { areaAround, changedCards, isSameWire, samePoints, touches } from './lane-memory'
import type { Wire } from './wire'

const card: Card = { id: 'a', x: 0, y: 0, width: 200, height: 100 }
const wire: Wire = {
  id: 'a>b',
  port: 'a.output',
  source: 'a',
  target: 'b',
  from: { x: 200, y: 50 },
  to: { x: 600, y: 10 },
}
const known = (...cards: Card[]) => new Map(cards.map((one) => [one.id, one]))

describe('the area of an edge', () => {
  it('is between its ends, and as far above and below as is asked', () => {
    const area = { left: 200, right: 600, top: -10, bottom: 70 }
    expect(areaAround(wire, 20)).toEqual(area)
    const turned = { ...wire, from: { x: 200, y: 10 }, to: { x: 600, y: 50 } }
    expect(areaAround(turned, 20)).toEqual(area)
  })

  it('is touched by a card from each side, and not by one beside it', () => {
    const area = { left: 200, right: 600, top: 100, bottom: 300 }
    const places = [
      { x: 0, y: 200 },
      { x: 600, y: 200 },
      { x: 400, y: 0 },
      { x: 400, y: 300 },
    ]
    expect(places.map((place) => touches(area, { ...card, ...place }))).toEqual([true, true, true, true])
    const beside = [
      { x: -1, y: 200 },
      { x: 601, y: 200 },
      { x: 400, y: -1 },
      { x: 400, y: 301 },
    ]
    expect(beside.map((place) => touches(area, { ...card, ...place }))).toEqual([false, false, false, false])
  })
})

describe('changed cards', () => {
  it('are as they were and as they are', () => {
    const changes = { x: 1, y: 1, width: 201, height: 101 }
    for (const [name, value] of Object.entries(changes)) {
      const now = { ...card, [name]: value }
      expect(changedCards(known(card), known(now))).toEqual([card, now])
    }
  })

  it('came or went, and are none if all are the same', () => {
    const other = { ...card, id: 'b' }
    expect(changedCards(known(card), known(card, other))).toEqual([other])
    expect(changedCards(known(card, other), known(card))).toEqual([other])
    expect(changedCards(known(card), known({ ...card }))).toEqual([])
  })
})

describe('an edge', () => {
  it('is the same if its ports and its ends are', () => {
    expect(isSameWire(wire, { ...wire, from: { ...wire.from }, to: { ...wire.to } })).toBe(true)
    const changes: Partial<Wire>[] = [
      { port: 'a.other' },
      { source: 'c' },
      { target: 'c' },
      { from: { x: 201, y: 50 } },
      { from: { x: 200, y: 51 } },
      { to: { x: 601, y: 10 } },
      { to: { x: 600, y: 11 } },
    ]
    for (const change of changes) expect(isSameWire(wire, { ...wire, ...change })).toBe(false)
  })

  it('keeps the list of its points as long as they are the same', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 9, y: 9 },
    ]
    const copy = points.map((point) => ({ ...point }))
    const before = new Map([['a', points]])
    expect(samePoints(before, new Map([['a', copy]])).get('a')).toBe(points)
    const moved = [
      { x: 0, y: 0 },
      { x: 9, y: 8 },
    ]
    for (const now of [moved, points.slice(1), []])
      expect(samePoints(before, new Map([['a', now]])).get('a')).toBe(now)
    expect(samePoints(before, new Map([['b', copy]]))).toEqual(new Map([['b', copy]]))
  })
})
