import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { useToasts } from '@/lib/toasts'

/** A notice that cannot be drawn must not take the page with it. */
const load = (): Promise<{ default: ComponentType }> =>
  import('@/components/toaster').then(
    ({ Toaster }) => ({ default: Toaster }),
    () => ({ default: () => null }),
  )
const Toaster = lazy(load)

/** Long after the page is there, and before anybody can have lost the connection that a notice would tell of. */
const QUIET = 3000

/** The corner for notices. It comes after the page that it belongs to, or with the first notice. */
export function Notices() {
  const any = useToasts((state) => state.toasts.length > 0)
  useEffect(() => {
    const timer = setTimeout(() => void load(), QUIET)
    return () => clearTimeout(timer)
  }, [])
  return any ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null
}
