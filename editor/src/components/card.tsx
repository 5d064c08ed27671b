import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classes } from '@/lib/classes'

/** A sheet on the paper. */
export function Card({ className, asChild, ...rest }: ComponentProps<'div'> & { asChild?: boolean }) {
  const Tag = asChild ? Slot.Root : 'div'
  return (
    <Tag
      className={classes('rounded-l border border-hairline bg-surface shadow-card', className)}
      {...rest}
    />
  )
}
