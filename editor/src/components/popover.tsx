import { Popover as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { panelClass, panelOffset } from './overlay'
import { overlayRoot } from './overlay-root'

type PopoverProps = {
  trigger: ReactNode
  children: ReactNode
  /** The accessible name of the panel. */
  label: string
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  className?: string
} & Pick<ComponentProps<typeof Radix.Root>, 'open' | 'onOpenChange'>

export function Popover({
  trigger,
  children,
  label,
  align = 'start',
  side = 'bottom',
  className,
  open,
  onOpenChange,
}: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={overlayRoot()}>
        <Radix.Content
          aria-label={label}
          align={align}
          side={side}
          {...panelOffset}
          className={classes(panelClass, 'p-3', className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
