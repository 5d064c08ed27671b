import { Check, ChevronDown } from 'lucide-react'
import { Select as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { classes } from '@/lib/classes'
import { fieldLook } from './input'
import { panelClass, panelItemClass } from './overlay'
import { overlayRoot } from './overlay-root'

export type Choice<Value extends string = string> = {
  value: Value
  label: string
  icon?: ReactNode
  /** What the choice looks like, at the end of its row in the list. */
  sample?: ReactNode
  disabled?: boolean
}

type SelectProps<Value extends string> = {
  value: Value | undefined
  onValueChange: (value: Value) => void
  choices: readonly Choice<Value>[]
  placeholder?: string
  disabled?: boolean
  name?: string
  id?: string
  className?: string
  'aria-label'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  'aria-required'?: boolean
}

export function Select<Value extends string>({
  value,
  onValueChange,
  choices,
  placeholder,
  disabled,
  name,
  className,
  ...rest
}: SelectProps<Value>) {
  // Radix renders a closed list with all its choices, and twice: not before the control is used. With the focus the
  // letters of a choice select it.
  const [hasList, setHasList] = useState(name !== undefined)
  const showList = () => setHasList(true)
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <Radix.Root
      value={value ?? ''}
      onValueChange={onValueChange}
      onOpenChange={showList}
      disabled={disabled}
      name={name}
    >
      <Radix.Trigger
        onFocus={showList}
        className={classes(
          fieldLook,
          'flex h-10 items-center gap-2 px-3 text-left data-placeholder:text-faint',
          className,
        )}
        {...rest}
      >
        <span className="flex min-w-0 flex-1 items-center gap-2 [&>span]:truncate [&_svg]:size-4">
          <Radix.Value placeholder={placeholder}>{chosen ? <Label {...chosen} /> : null}</Radix.Value>
        </span>
        <Radix.Icon asChild>
          <ChevronDown className="size-4 text-muted" />
        </Radix.Icon>
      </Radix.Trigger>
      {hasList && (
        <Radix.Portal container={overlayRoot()}>
          <Radix.Content
            position="popper"
            sideOffset={6}
            collisionPadding={8}
            className={classes(
              panelClass,
              'max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width)',
            )}
          >
            <Radix.Viewport className="p-1">
              {choices.map((choice) => (
                <Radix.Item
                  key={choice.value}
                  value={choice.value}
                  disabled={choice.disabled}
                  className={classes(panelItemClass, 'pr-8')}
                >
                  <Radix.ItemText>
                    <Label {...choice} />
                  </Radix.ItemText>
                  {choice.sample && (
                    <span aria-hidden className="ml-auto min-w-0 pl-5">
                      {choice.sample}
                    </span>
                  )}
                  <Radix.ItemIndicator className="absolute right-2.5">
                    <Check className="size-4" />
                  </Radix.ItemIndicator>
                </Radix.Item>
              ))}
            </Radix.Viewport>
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  )
}

function Label({ icon, label }: Pick<Choice, 'icon' | 'label'>) {
  return (
    <span className="inline-flex items-center gap-2">
      {icon}
      {label}
    </span>
  )
}
