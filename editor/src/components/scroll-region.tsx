import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'

type ScrollRegionProps = { label: string; className?: string; children: ReactNode }

/** Content longer than its place, named and reachable so that it scrolls by keyboard too. */
export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable to be scrolled.
      tabIndex={0}
      className={classes('scrollbar-quiet overflow-auto rounded-xs', className)}
    >
      {children}
    </section>
  )
}
