import { Progress as Radix } from 'radix-ui'
import { classes } from '@/lib/classes'

type ProgressProps = {
  /** 0 to 1; null while unknown. */
  value: number | null
  label: string
  className?: string
  /** The color of the bar, as a background class. */
  bar?: string
}

export function Progress({ value, label, className, bar = 'bg-ink' }: ProgressProps) {
  return (
    <Radix.Root
      value={value === null ? null : Math.round(value * 100)}
      aria-label={label}
      className={classes('h-1.5 w-full overflow-hidden rounded-pill bg-sunken', className)}
    >
      <Radix.Indicator
        className={classes(
          'h-full rounded-pill transition-[width] duration-200',
          bar,
          value === null && 'w-2/5 animate-indeterminate',
        )}
        style={value === null ? undefined : { width: `${Math.min(1, Math.max(0, value)) * 100}%` }}
      />
    </Radix.Root>
  )
}
