import { classes } from '@/lib/classes'

/** A strip of a brand's colors; an empty dashed one for no brand. */
export function Swatches({ colors, className }: { colors: readonly string[]; className?: string }) {
  return (
    <span
      aria-hidden
      className={classes(
        'flex h-4.5 w-10 flex-none overflow-hidden rounded-pill border',
        colors.length > 0 ? 'border-ink/15' : 'border-hairline-strong border-dashed',
        className,
      )}
    >
      {colors.map((color) => (
        <i key={color} className="flex-1" style={{ background: color }} />
      ))}
    </span>
  )
}
