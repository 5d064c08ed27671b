import { Check, ChevronRight } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { useNarrower, WIDTHS } from '@/lib/browser-hooks'
import { classes } from '@/lib/classes'
import { hasFocus, panelClass, panelItemClass, panelOffset } from './overlay'
import { overlayRoot } from './overlay-root'
import { Kbd } from './tooltip'

type MenuProps = {
  /** The control that opens it (a Button or IconButton). */
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  className?: string
} & Pick<ComponentProps<typeof Radix.Root>, 'open' | 'onOpenChange'>

export function Menu({
  trigger,
  children,
  align = 'end',
  side = 'bottom',
  className,
  open,
  onOpenChange,
}: MenuProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={overlayRoot()}>
        <Radix.Content
          align={align}
          side={side}
          {...panelOffset}
          // If the action has moved the focus, keep it there; otherwise return it to the trigger.
          onCloseAutoFocus={(event) => hasFocus() && event.preventDefault()}
          className={classes(panelClass, 'min-w-48 p-1', className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type MenuItemProps = ComponentProps<typeof Radix.Item> & {
  icon?: ReactNode
  shortcut?: string
  danger?: boolean
  /** Why the action is not available: shown below its name. The item keeps the keyboard focus and does nothing. */
  refusal?: string | undefined
}

export function MenuItem({
  icon,
  shortcut,
  danger,
  refusal,
  disabled = false,
  onSelect,
  className,
  children,
  ...rest
}: MenuItemProps) {
  return (
    <Radix.Item
      className={classes(panelItemClass, refusal ? 'text-muted' : danger && 'text-madder-text', className)}
      disabled={disabled && !refusal}
      aria-disabled={disabled || refusal !== undefined}
      onSelect={refusal ? (event) => event.preventDefault() : onSelect}
      {...rest}
    >
      {icon}
      <span className="min-w-0 flex-1">
        {children}
        {refusal && <span className="block max-w-52 text-xs">{refusal}</span>}
      </span>
      {shortcut && <Kbd>{shortcut}</Kbd>}
    </Radix.Item>
  )
}

/** Pixels from the end of the menu. */
const OVER_THE_MENU = -240

type SubMenuProps = { label: string; icon?: ReactNode; children: ReactNode }

/** An item that opens a menu of its own beside it. */
export function SubMenu({ label, icon, children }: SubMenuProps) {
  const isNarrow = useNarrower(WIDTHS.tablet)
  return (
    <Radix.Sub>
      <Radix.SubTrigger className={classes(panelItemClass, 'data-[state=open]:bg-sunken')}>
        {icon}
        <span className="flex-1">{label}</span>
        <ChevronRight aria-hidden />
      </Radix.SubTrigger>
      <Radix.Portal container={overlayRoot()}>
        <Radix.SubContent
          {...panelOffset}
          // Over the menu where there is no room beside it.
          {...(isNarrow && { sideOffset: OVER_THE_MENU })}
          className={classes(
            panelClass,
            'scrollbar-quiet max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto p-1',
          )}
        >
          {children}
        </Radix.SubContent>
      </Radix.Portal>
    </Radix.Sub>
  )
}

type MenuLinkProps = Pick<MenuItemProps, 'icon' | 'className'> & { children: ReactNode }

/** An item that is a link: pass the link with its text as the child. */
export function MenuLink({ className, children }: MenuLinkProps) {
  return (
    <Radix.Item asChild className={classes(panelItemClass, className)}>
      {children}
    </Radix.Item>
  )
}

type MenuChoiceProps<Value extends string> = {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  choices: readonly { value: Value; label: string; icon?: ReactNode }[]
}

/** One of several choices in a menu, the selected one ticked. */
export function MenuChoice<Value extends string>({
  label,
  value,
  onValueChange,
  choices,
}: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(next) => onValueChange(next as Value)} aria-label={label}>
      <MenuLabel>{label}</MenuLabel>
      {choices.map((choice) => (
        <Radix.RadioItem
          key={choice.value}
          value={choice.value}
          onSelect={(event) => event.preventDefault()}
          className={panelItemClass}
        >
          {choice.icon}
          <span className="flex-1">{choice.label}</span>
          <Radix.ItemIndicator>
            <Check className="size-4" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2.5 pt-2 pb-1 font-semibold text-faint text-xs">{children}</Radix.Label>
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-hairline" />
}
