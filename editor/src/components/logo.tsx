import { classes } from '@/lib/classes'

/** The logo: four thick strokes of pigment. */
export function Logo({ className }: { className?: string }) {
  return <i aria-hidden className={classes('block size-6.5 flex-none rounded-s logo-paint', className)} />
}

/** The logo with the name. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <span
      className={classes(
        'flex items-center gap-[9px] font-serif text-[23px] leading-none tracking-[-0.01em]',
        className,
      )}
    >
      <Logo />
      Impasto
    </span>
  )
}
