import { Switch as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classes } from '@/lib/classes'

export function Switch({ className, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={classes(
        'inline-flex h-5.5 w-9.5 flex-none items-center rounded-pill border border-hairline-strong bg-sunken p-0.5 transition-colors disabled:opacity-50 data-[state=checked]:border-ink data-[state=checked]:bg-ink',
        className,
      )}
      {...rest}
    >
      <Radix.Thumb className="size-4 rounded-pill bg-ink transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-paper" />
    </Radix.Root>
  )
}
