/** Contrast of a brand's colors by WCAG 2.2, computed while they are edited. */

export type TextUse = 'all_text' | 'headlines' | 'shapes'
export type Pair = { foreground: string; background: string; ratio: number; use: TextUse }

const MAX_COLORS = 6
const ALL_TEXT = 4.5
const HEADLINES = 3

/** Every pair of the first colors, the highest contrast first. */
export function contrastPairs(colors: readonly string[]): Pair[] {
  const shown = [...new Set(colors)].slice(0, MAX_COLORS)
  const pairs = shown.flatMap((one, at) => shown.slice(at + 1).map((other) => pairOf(one, other)))
  return pairs.toSorted((a, b) => b.ratio - a.ratio)
}

/** The contrast of two colors, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** The color that is easiest to read on a ground. */
export function readableOn(ground: string, colors: readonly string[]): string {
  const candidates = [...colors, '#ffffff', '#16130f']
  const readable = candidates.find((color) => contrastOf(ground, color) >= ALL_TEXT)
  return (
    readable ?? candidates.toSorted((a, b) => contrastOf(ground, b) - contrastOf(ground, a))[0] ?? '#16130f'
  )
}

function pairOf(background: string, foreground: string): Pair {
  const ratio = contrastOf(background, foreground)
  const use = ratio >= ALL_TEXT ? 'all_text' : ratio >= HEADLINES ? 'headlines' : 'shapes'
  // Rounded down: 4.46 must not be shown as 4.5, which text needs.
  return { foreground, background, ratio: Math.floor(ratio * 10) / 10, use }
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16) / 255))
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
