import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import type { ComponentProps, MouseEvent } from 'react'
import { classes } from '@/lib/classes'

const look =
  'grid size-5 flex-none place-items-center rounded-[6px] border-[1.5px] border-hairline-strong bg-surface text-paper transition-colors hover:border-ghost disabled:opacity-50 data-[state=checked]:border-ink data-[state=indeterminate]:border-ink data-[state=checked]:bg-ink data-[state=indeterminate]:bg-ink'

export function Checkbox({ className, checked, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root checked={checked} className={classes(look, className)} {...rest}>
      <Radix.Indicator>
        {checked === 'indeterminate' ? (
          <Minus className="size-3" strokeWidth={3} />
        ) : (
          <Check className="size-3 [stroke-width:3]!" />
        )}
      </Radix.Indicator>
    </Radix.Root>
  )
}

type PlainCheckboxProps = {
  isChecked: boolean
  label: string
  onClick: (event: MouseEvent) => void
  className?: string
}

/** A checkbox that keeps no state and belongs to no form: cheap enough for each of ten thousand items. */
export function PlainCheckbox({ isChecked, label, onClick, className }: PlainCheckboxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: an input cannot contain the mark.
    <button
      type="button"
      role="checkbox"
      aria-checked={isChecked}
      aria-label={label}
      data-state={isChecked ? 'checked' : 'unchecked'}
      onClick={onClick}
      className={classes(look, 'size-6', className)}
    >
      {isChecked && <Check aria-hidden className="size-3 [stroke-width:3]!" />}
    </button>
  )
}
