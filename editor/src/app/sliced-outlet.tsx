import { Outlet } from '@tanstack/react-router'
import { Deferred } from '@/components/deferred'

/** The page inside a layout, first rendered after the layout. */
export function SlicedOutlet() {
  return (
    <Deferred>
      <Outlet />
    </Deferred>
  )
}
