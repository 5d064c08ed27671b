/** Parses `4:5`, `16x9` or `1.91` as width over height. */
export function ratioOf(value: unknown): number | null {
  if (typeof value === 'number') return value > 0 ? value : null
  if (typeof value !== 'string') return null
  const [width, height = 1] = value.split(/[:x×/]/).map(Number)
  const ratio = (width ?? Number.NaN) / height
  return Number.isFinite(ratio) && ratio > 0 ? ratio : null
}
