import { Tabs as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classes } from '@/lib/classes'

export const Tabs = Radix.Root
export const TabPanel = Radix.Content

/** The tab list on a hairline; other content of the row follows the tabs. */
export function TabRow({
  className,
  children,
  aside,
  ...rest
}: ComponentProps<typeof Radix.List> & { aside?: React.ReactNode }) {
  return (
    <div className={classes('flex items-end gap-4 border-hairline border-b', className)}>
      <Radix.List className="flex min-w-0 flex-1 gap-6 overflow-x-auto [scrollbar-width:none]" {...rest}>
        {children}
      </Radix.List>
      {aside}
    </div>
  )
}

export function Tab({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={classes(
        '-mb-px whitespace-nowrap border-transparent border-b-2 px-0.5 pb-3 font-[550] text-base text-muted transition-colors hover:text-ink focus-visible:outline-offset-[-2px] data-[state=active]:border-ink data-[state=active]:text-ink',
        className,
      )}
      {...rest}
    />
  )
}
