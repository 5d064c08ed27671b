import { create } from 'zustand'
import { localStore } from './storage'

const KEY = 'impasto.single-keys'

const useStore = create(() => ({ on: localStore.read<boolean>(KEY) ?? true }))

/** Whether single-key shortcuts, without Control or Command, are on. */
export function useSingleKeyShortcuts(): boolean {
  return useStore((state) => state.on)
}

export function hasSingleKeyShortcuts(): boolean {
  return useStore.getState().on
}

export function setSingleKeyShortcuts(on: boolean): void {
  localStore.write(KEY, on)
  useStore.setState({ on })
}

/** Whether a key press is a printable character without modifiers. */
export function isSingleKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}
