import { DropdownMenu as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { useNarrower, WIDTHS } from '@/lib/browser-hooks'
import { classes } from '@/lib/classes'
import { panelClass, useReturnFocus } from './overlay'
import { overlayRoot } from './overlay-root'

type PointMenuProps = {
  /** Its accessible name: what the actions apply to. */
  label: string
  /** Where it opens, in the window. */
  at: { readonly x: number; readonly y: number }
  /** Whether the first item takes the focus at once, as after a key press. */
  byKeyboard?: boolean
  onClose: () => void
  children: ReactNode
}

/** A context menu: opens at a point instead of a trigger, and returns the focus to what had it before. */
export function PointMenu({ label, at, byKeyboard = false, onClose, children }: PointMenuProps) {
  const isNarrow = useNarrower(WIDTHS.tablet)
  const entersByKey = useRef(byKeyboard)
  const onCloseAutoFocus = useReturnFocus(true)
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()} modal={false}>
      <Radix.Trigger asChild>
        <button
          type="button"
          aria-hidden
          aria-label={label}
          tabIndex={-1}
          style={{ left: at.x, top: at.y }}
          className="pointer-events-none fixed size-px opacity-0"
        />
      </Radix.Trigger>
      <Radix.Portal container={overlayRoot()}>
        <Radix.Content
          // Beside the point: a menu that is too long for the space below it moves up, and is not cut. A phone has no
          // room beside most points: there it is below or above, where it moves sideways.
          align="start"
          side={isNarrow ? 'bottom' : 'right'}
          sideOffset={2}
          collisionPadding={8}
          onCloseAutoFocus={onCloseAutoFocus}
          onContextMenu={(event) => event.preventDefault()}
          // Radix focuses the content first; it knows of no key press before the menu existed.
          onFocus={({ target, currentTarget }) => {
            if (target !== currentTarget || !entersByKey.current) return
            entersByKey.current = false
            currentTarget.querySelector<HTMLElement>('[role=menuitem]:not([data-disabled])')?.focus()
          }}
          className={classes(
            panelClass,
            'scrollbar-quiet max-h-(--radix-dropdown-menu-content-available-height) min-w-64 overflow-y-auto p-1',
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
