import { Outlet } from '@tanstack/react-router'
import { useDeferredValue } from 'react'

/** The page inside a layout. It is first rendered after the layout, in slices: taps are answered in between. */
export function SlicedOutlet() {
  return useDeferredValue(true, false) && <Outlet />
}
