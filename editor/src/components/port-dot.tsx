import { classes } from '@/lib/classes'
import { colorOfType, textColorClass } from '@/lib/type-colors'

type PortDotProps = {
  type: string
  /** A list is square, one value is round. */
  list?: boolean
  className?: string
}

/** A port as it is drawn everywhere: pigment tells the type, shape tells one or many. */
export function PortDot({ type, list, className }: PortDotProps) {
  return (
    <i
      aria-hidden
      className={classes(
        'block size-[13px] flex-none border-[3px] border-surface bg-current shadow-[0_0_0_1.5px_currentColor]',
        list ? 'rounded-[4px]' : 'rounded-pill',
        textColorClass[colorOfType(type)],
        className,
      )}
    />
  )
}
