import { Slider as Radix } from 'radix-ui'
import { classes } from '@/lib/classes'

type SliderProps = {
  value: number
  onValueChange: (value: number) => void
  /** Called once, at the end of the drag or key press. */
  onValueCommit?: (value: number) => void
  min: number
  max: number
  step?: number
  disabled?: boolean
  id?: string
  className?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
}

export function Slider({ value, onValueChange, onValueCommit, className, id, ...rest }: SliderProps) {
  const { 'aria-label': label, 'aria-labelledby': labelledBy, ...root } = rest
  return (
    <Radix.Root
      value={[value]}
      onValueChange={([next]) => next !== undefined && onValueChange(next)}
      onValueCommit={([next]) => next !== undefined && onValueCommit?.(next)}
      className={classes(
        'relative flex h-6 w-full touch-none select-none items-center data-disabled:opacity-50',
        className,
      )}
      {...root}
    >
      <Radix.Track className="relative h-1 grow rounded-pill bg-hairline">
        <Radix.Range className="absolute h-full rounded-pill bg-ink" />
      </Radix.Track>
      <Radix.Thumb
        id={id}
        aria-label={label}
        aria-labelledby={labelledBy ?? (id && !label ? `${id}-label` : undefined)}
        className="block size-4 rounded-pill border-[1.5px] border-ink bg-surface shadow-card"
      />
    </Radix.Root>
  )
}
