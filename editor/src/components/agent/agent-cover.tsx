import type { ReactNode } from 'react'
import { coverOf } from '@/lib/agents/cover'
import { classes } from '@/lib/classes'

type AgentCoverProps = {
  /** URL of the agent's image; without one, a gradient is shown. */
  src?: string | null | undefined
  /** The id that determines the gradient, or the gradient itself. */
  seed: string
  gradient?: string | undefined
  className?: string
  children?: ReactNode
}

/** The cover of an agent: its image or a gradient. Decorative, since the name is beside it. */
export function AgentCover({ src, seed, gradient, className, children }: AgentCoverProps) {
  return (
    <span
      className={classes('relative block overflow-hidden bg-sunken', className)}
      style={{ backgroundImage: gradient ?? coverOf(seed) }}
    >
      {src && (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      )}
      {children}
    </span>
  )
}
