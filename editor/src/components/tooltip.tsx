import { Tooltip as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { overlayRoot } from './overlay-root'

type TooltipProps = {
  label: ReactNode
  shortcut?: string | undefined
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactNode
}

const escapes = new WeakSet<Event>()

/**
 * Whether this Escape has closed a tooltip. It is not meant for the tooltip alone: a dialog around the focus closes too,
 * which Radix leaves open because only its topmost layer gets the key.
 */
export function hasClosedTooltip(event: Event): boolean {
  return escapes.has(event)
}

/** A tooltip on hover and focus. It repeats or explains; it is never the only place of a text. */
export function Tooltip({ label, shortcut, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal container={overlayRoot()}>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          onEscapeKeyDown={(event) => escapes.add(event)}
          className="z-60 flex max-w-72 animate-fade items-center gap-2 rounded-s bg-ink px-2.5 py-1.5 text-paper text-xs shadow-float"
        >
          {label}
          {shortcut && <Kbd className="border-paper/30 text-paper">{shortcut}</Kbd>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export const TooltipProvider = Radix.Provider

/** One key, with its label on the keyboard. */
export function Kbd({ className, ...rest }: ComponentProps<'kbd'>) {
  return (
    <kbd
      className={classes(
        'whitespace-nowrap rounded-xs border border-hairline-strong px-1.5 py-[3px] font-medium font-mono text-[11px] text-muted leading-none',
        className,
      )}
      {...rest}
    />
  )
}
