/** The generated cover of an agent without an image, derived from its id. */

const COVERS = [
  'linear-gradient(150deg,#f7e3c0,#e98b4a 45%,#7c2d12)',
  'radial-gradient(120% 120% at 20% 20%,#ffd9d0,#de4f2a 50%,#5b1026)',
  'linear-gradient(140deg,#dfe7ff,#5c7df0 55%,#1b2a7a)',
  'radial-gradient(100% 120% at 80% 10%,#e8dcff,#8a63e6 50%,#2a1460)',
  'conic-gradient(from 210deg at 60% 40%,#f6c453,#de4f2a,#7449d8,#2f57e0,#11806a,#f6c453)',
  'linear-gradient(180deg,#f3f0ea,#cfd6d3 60%,#8fa19b)',
  'linear-gradient(150deg,#d5f3ea,#2ea58a 55%,#083d33)',
  'linear-gradient(150deg,#fff2cc,#d79b2b 55%,#4a3208)',
  'radial-gradient(110% 110% at 75% 85%,#ffe1b8,#d8734a 48%,#43203a)',
  'linear-gradient(160deg,#e9e3d4,#b08968 50%,#3b2a1e)',
  'radial-gradient(120% 120% at 15% 90%,#f7c8d8,#b1446f 52%,#35102c)',
  'linear-gradient(140deg,#e6f1e4,#7a9e6c 52%,#24402b)',
] as const

/** FNV-1a hash: distributes similar names evenly over the covers. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return value >>> 0
}

export function coverOf(seed: string): string {
  return COVERS[hash(seed) % COVERS.length] ?? COVERS[0]
}

/** Covers for a grid: neighbours differ while there are enough covers. */
export function coversOf(seeds: readonly string[]): Map<string, string> {
  const covers = new Map<string, string>()
  const taken = new Set<number>()
  for (const seed of seeds) {
    if (taken.size === COVERS.length) taken.clear()
    let index = hash(seed) % COVERS.length
    while (taken.has(index)) index = (index + 1) % COVERS.length
    taken.add(index)
    covers.set(seed, COVERS[index] ?? COVERS[0])
  }
  return covers
}
