import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'

type EmptyStateProps = {
  title: ReactNode
  /** What to do about it. */
  children?: ReactNode
  icon?: ReactNode
  action?: ReactNode
  className?: string
}

export function EmptyState({ title, children, icon, action, className }: EmptyStateProps) {
  return (
    <div
      className={classes(
        'flex flex-col items-center gap-3 rounded-l border border-hairline-strong border-dashed px-6 py-12 text-center',
        className,
      )}
    >
      {icon && <span className="text-ghost [&_svg]:size-6">{icon}</span>}
      <p className="font-[550] text-md">{title}</p>
      {children && <div className="max-w-110 text-muted">{children}</div>}
      {action}
    </div>
  )
}
