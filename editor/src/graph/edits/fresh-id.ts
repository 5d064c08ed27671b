/** `write`, then `write_2`, `write_3`: ids are read by people in files, so they stay words. */
export function freshId(stem: string, taken: ReadonlySet<string>): string {
  const clean = stem.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '') || 'node'
  if (!taken.has(clean)) return clean
  const root = clean.replace(/_\d+$/, '') || clean
  let number = 2
  while (taken.has(`${root}_${number}`)) number++
  return `${root}_${number}`
}
