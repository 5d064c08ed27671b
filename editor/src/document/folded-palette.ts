import { localStore } from '@/lib/storage'

const KEY = 'impasto.palette-folded'

/** Whether the list of nodes is folded on this device. */
export function isPaletteFolded(): boolean {
  return localStore.read(KEY) === true
}

export function keepPaletteFolded(isFolded: boolean): void {
  localStore.write(KEY, isFolded || null)
}
