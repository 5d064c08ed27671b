import { classes } from '@/lib/classes'

type MeterProps = {
  label: string
  /** How much is used, from 0 to `max`; more than `max` shows as full. */
  value: number
  max: number
  /** The value as it is read out, such as "3.2 GB of 10 GB". */
  text: string
  /** The color of the bar, as a background class. */
  bar?: string
  className?: string
}

/** A bar that shows how much of a limit is used. Unlike `Progress`, nothing is going on. */
export function Meter({ label, value, max, text, bar = 'bg-ink', className }: MeterProps) {
  const used = Math.min(Math.max(0, value), max)
  const share = max > 0 ? used / max : 1
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw a <meter> each in their own way.
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={used}
      aria-valuetext={text}
      className={classes('h-1.5 w-full overflow-hidden rounded-pill bg-sunken', className)}
    >
      <div className={classes('h-full rounded-pill', bar)} style={{ width: `${share * 100}%` }} />
    </div>
  )
}
