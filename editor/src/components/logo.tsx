import { classes } from '@/lib/classes'

/** The logo: four thick strokes of pigment. */
export function Logo({ className }: { className?: string }) {
  return (
    <i
      aria-hidden
      className={classes(
        'block size-6.5 flex-none rounded-s bg-[#de4f2a] bg-[image:radial-gradient(120%_90%_at_15%_10%,#ffb199_0_18%,transparent_42%),radial-gradient(90%_120%_at_90%_20%,#f6c453_0_20%,transparent_50%),radial-gradient(120%_120%_at_60%_110%,#2f57e0_0_35%,transparent_65%)]',
        className,
      )}
    />
  )
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
