import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps, MouseEvent } from 'react'
import { classes } from '@/lib/classes'

const look = cva(
  'inline-flex items-center justify-center gap-2 border font-semibold leading-none whitespace-nowrap select-none transition-[background-color,border-color,color,transform,opacity] active:translate-y-px disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50',
  {
    variants: {
      variant: {
        primary: 'border-ink bg-ink text-paper hover:bg-ink/88',
        quiet: 'border-hairline-strong bg-surface text-ink hover:bg-sunken',
        ghost: 'border-transparent bg-transparent text-ink hover:bg-sunken',
        danger: 'border-madder/40 bg-surface text-madder-text hover:bg-madder/10',
      },
      size: {
        sm: 'h-7 px-2.5 text-[12.5px] [&_svg]:size-3.5',
        md: 'h-9 px-3.5 text-[13.5px] [&_svg]:size-4',
        lg: 'h-11 px-5 text-md [&_svg]:size-4.5',
      },
      shape: { pill: 'rounded-pill', block: 'rounded-m w-full' },
    },
    defaultVariants: { variant: 'quiet', size: 'md', shape: 'pill' },
  },
)

export type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof look> & {
    /** Apply the style to the only child (a link). */
    asChild?: boolean
    /** The action is in progress: keeps the size, ignores presses, and sets aria-busy. */
    busy?: boolean
  }

export function Button({
  className,
  variant,
  size,
  shape,
  asChild,
  busy,
  type,
  onClick,
  ...rest
}: ButtonProps) {
  const Tag = asChild ? Slot.Root : 'button'
  // Enter in a field presses the submit button of its form: preventing that submits nothing.
  const press = busy ? (event: MouseEvent) => event.preventDefault() : onClick
  return (
    <Tag
      {...(asChild ? {} : { type: type ?? 'button' })}
      aria-busy={busy || undefined}
      className={classes(look({ variant, size, shape }), busy && 'pointer-events-none opacity-70', className)}
      onClick={press}
      {...rest}
    />
  )
}
