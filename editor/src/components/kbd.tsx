import type { ComponentProps } from 'react'
import { classes } from '@/lib/classes'

/** One key, as it is printed on the keyboard. */
export function Kbd({ className, ...rest }: ComponentProps<'kbd'>) {
  return (
    <kbd
      className={classes(
        'rounded-xs border border-hairline-strong px-1.5 py-[3px] font-medium font-mono text-[11px] text-muted leading-none',
        className,
      )}
      {...rest}
    />
  )
}
