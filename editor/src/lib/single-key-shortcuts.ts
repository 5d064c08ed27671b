import { create } from 'zustand'
import { lasting } from './storage'

const KEPT = 'impasto.single-keys'

const useKept = create(() => ({ on: lasting.read<boolean>(KEPT) ?? true }))

/** Whether keys do something by themselves, without Control or Command, outside of fields. */
export function useSingleKeys(): boolean {
  return useKept((state) => state.on)
}

export function singleKeys(): boolean {
  return useKept.getState().on
}

export function keepSingleKeys(on: boolean): void {
  lasting.write(KEPT, on)
  useKept.setState({ on })
}

/** Whether a key press is a letter, a number or a sign alone. */
export function isSingle({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}
