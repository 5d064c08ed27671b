import { Avatar as Radix } from 'radix-ui'
import { classes } from '@/lib/classes'

type AvatarProps = {
  /** A signed URL; null without an image. */
  src?: string | null
  /** Name of the user. Empty where the name is beside it. */
  name?: string
  size?: number
  className?: string
}

export function Avatar({ src, name = '', size = 32, className }: AvatarProps) {
  return (
    <Radix.Root
      className={classes('inline-block flex-none overflow-hidden rounded-pill align-middle', className)}
      style={{ width: size, height: size }}
    >
      {src && <Radix.Image src={src} alt={name} className="size-full object-cover" />}
      <Radix.Fallback className="block size-full bg-[linear-gradient(140deg,#f6c453,#de4f2a_55%,#7449d8)]">
        {name && <span className="sr-only">{name}</span>}
      </Radix.Fallback>
    </Radix.Root>
  )
}
