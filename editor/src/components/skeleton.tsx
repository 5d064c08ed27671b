import type { ComponentProps } from 'react'
import { classes } from '@/lib/classes'

/** A place kept for something on its way; give it the size of what comes. */
export function Skeleton({ className, ...rest }: ComponentProps<'div'>) {
  return <div aria-hidden className={classes('animate-breathe rounded-s bg-sunken', className)} {...rest} />
}
