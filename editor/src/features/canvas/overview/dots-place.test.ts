import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bitmapSize,
  drawnZoom,
  GAP,
  gapAt,
  MAX_SCALE,
  MIN_GAP,
  MIN_SCALE,
  RADIUS,
  transformOf,
} from './dots-place'

describe('drawnZoom', () => {
  it('is the present zoom at rest', () => {
    expect(drawnZoom(0.7, null)).toBe(0.7)
  })

  it('keeps drawn dots while they are scaled by 0.6 to 2', () => {
    expect(drawnZoom(0.8, 1)).toBe(1)
    expect(drawnZoom(0.6, 1)).toBe(1)
    expect(drawnZoom(2, 1)).toBe(1)
    expect(drawnZoom(0.59, 1)).toBe(0.59)
    expect(drawnZoom(2.1, 1)).toBe(2.1)
  })
})

const zooms = fc.double({ min: 0.06, max: 2, noNaN: true })

describe('gapAt', () => {
  it('is that of the zoom, and at a low zoom that of every second, fourth, ... dot', () => {
    expect(gapAt(1)).toBe(GAP)
    expect(gapAt(0.5)).toBe(GAP / 2)
    fc.assert(
      fc.property(zooms, (zoom) => {
        expect(gapAt(zoom)).toBeGreaterThanOrEqual(MIN_GAP)
        expect(Math.log2(gapAt(zoom) / (GAP * zoom)) % 1).toBeCloseTo(0)
        if (GAP * zoom < MIN_GAP) expect(gapAt(zoom)).toBeLessThan(2 * MIN_GAP)
      }),
    )
  })
})

describe('transformOf', () => {
  const offsets = fc.double({ min: -1e5, max: 1e5, noNaN: true })

  it('places a dot at the same point of the canvas at each zoom it is drawn for, and covers the corner', () => {
    fc.assert(
      fc.property(
        zooms,
        fc.double({ min: MIN_SCALE, max: MAX_SCALE, noNaN: true }),
        offsets,
        (zoom, scale, x) => {
          const drawn = zoom / scale
          const gap = gapAt(drawn) / drawn
          const [left = 0, , scaled = 0] =
            transformOf([x, 0, zoom], drawn)
              .match(/-?[\d.]+(e-?\d+)?/g)
              ?.map(Number) ?? []
          // Dots that are not scaled are moved by whole pixels.
          const tolerance = zoom === drawn ? 0.5 : 1e-3
          expect(left).toBeGreaterThanOrEqual(-gap * zoom - tolerance)
          expect(left).toBeLessThanOrEqual(tolerance)
          expect(left + bitmapSize(1440) * scaled).toBeGreaterThanOrEqual(1440)
          // The center of the first dot, in pixels of the canvas, is 10 left of a multiple of the gap.
          const at = (left + RADIUS * drawn * scaled - x) / zoom
          const gaps = (at + GAP / 2 - RADIUS) / gap
          expect(Math.abs(gaps - Math.round(gaps)) * gap * zoom).toBeLessThan(tolerance + 1e-3)
        },
      ),
    )
  })

  it('moves dots that are not scaled by whole pixels', () => {
    expect(transformOf([30.4, -7.7, 1], 1)).toBe('translate(-3px, -19px) scale(1)')
  })
})
