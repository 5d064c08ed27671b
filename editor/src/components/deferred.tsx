import { type ReactNode, useDeferredValue } from 'react'

/** A part of a page that is first rendered after what surrounds it, in slices: taps are answered in between. */
export function Deferred({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children
}
