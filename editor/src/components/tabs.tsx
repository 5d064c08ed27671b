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
      <Radix.List
        className="-mx-2 flex min-w-0 flex-auto gap-3 overflow-x-auto [scrollbar-width:none]"
        {...rest}
      >
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
        '-mb-px relative whitespace-nowrap rounded-s px-2 pt-1.5 pb-3 font-[550] text-base text-muted transition-colors after:absolute after:inset-x-2 after:bottom-0 after:h-0.5 hover:text-ink focus-visible:outline-offset-[-2px] data-[state=active]:text-ink data-[state=active]:after:bg-ink',
        className,
      )}
      {...rest}
    />
  )
}
