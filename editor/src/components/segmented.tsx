import { RadioGroup } from 'radix-ui'
import { classes } from '@/lib/classes'
import type { Choice } from './select'

type SegmentedProps<Value extends string> = {
  value: Value | undefined
  onValueChange: (value: Value) => void
  choices: readonly Choice<Value>[]
  disabled?: boolean
  id?: string
  className?: string
  'aria-label'?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
}

/** Selects one of a few visible choices. */
export function Segmented<Value extends string>({
  value,
  onValueChange,
  choices,
  className,
  id,
  'aria-label': label,
  ...rest
}: SegmentedProps<Value>) {
  return (
    <RadioGroup.Root
      value={value ?? ''}
      onValueChange={(next) => onValueChange(next as Value)}
      orientation="horizontal"
      id={id}
      aria-label={label}
      aria-labelledby={label ? undefined : id && `${id}-label`}
      className={classes('flex rounded-field bg-sunken p-[3px]', className)}
      {...rest}
    >
      {choices.map((choice) => (
        <RadioGroup.Item
          key={choice.value}
          value={choice.value}
          disabled={choice.disabled}
          className="flex min-h-7 min-w-0 flex-1 items-center max-sm:flex-auto justify-center gap-1.5 rounded-s px-2 font-[550] text-[12.5px] text-muted transition-colors hover:text-ink disabled:opacity-50 data-[state=checked]:bg-surface data-[state=checked]:text-ink data-[state=checked]:shadow-card [&_svg]:size-3.5"
        >
          {choice.icon}
          <span className="truncate">{choice.label}</span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
