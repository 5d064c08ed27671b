import { Check, Minus } from 'lucide-react'
import { Checkbox as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classes } from '@/lib/classes'

export function Checkbox({ className, checked, ...rest }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      checked={checked}
      className={classes(
        'grid size-5 flex-none place-items-center rounded-[6px] border-[1.5px] border-hairline-strong bg-surface text-paper transition-colors hover:border-ghost disabled:opacity-50 data-[state=checked]:border-ink data-[state=indeterminate]:border-ink data-[state=checked]:bg-ink data-[state=indeterminate]:bg-ink',
        className,
      )}
      {...rest}
    >
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
