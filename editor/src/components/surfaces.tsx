import { Slot } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { classes } from '@/lib/classes'

/** A raised surface. */
export function Card({ className, asChild, ...rest }: ComponentProps<'div'> & { asChild?: boolean }) {
  const Tag = asChild ? Slot.Root : 'div'
  return (
    <Tag
      className={classes('rounded-l border border-hairline bg-surface shadow-card', className)}
      {...rest}
    />
  )
}

/** A loading placeholder; give it the size of its content. */
export function Skeleton({ className, ...rest }: ComponentProps<'div'>) {
  return <div aria-hidden className={classes('animate-breathe rounded-s bg-sunken', className)} {...rest} />
}

type ScrollRegionProps = { label: string; className?: string; children: ReactNode }

/** Scrollable content, named and focusable so that it scrolls by keyboard too. */
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

type EmptyStateProps = {
  title: ReactNode
  /** Whether it is all that the page shows, so that its title is the heading of the page. */
  isPage?: boolean
  /** The action that resolves it. */
  children?: ReactNode
  icon?: ReactNode
  action?: ReactNode
  className?: string
}

export function EmptyState({ title, isPage, children, icon, action, className }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div
      className={classes(
        'flex flex-col items-center gap-3 rounded-l border border-hairline-strong border-dashed px-6 py-12 text-center',
        className,
      )}
    >
      {icon && <span className="text-ghost [&_svg]:size-6">{icon}</span>}
      <Title className="font-[550] text-md">{title}</Title>
      {children && <div className="max-w-110 text-muted">{children}</div>}
      {action}
    </div>
  )
}
