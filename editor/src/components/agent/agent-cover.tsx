import type { ReactNode } from 'react'
import { coverOf } from '@/lib/agents/cover'
import { classes } from '@/lib/classes'

type AgentCoverProps = {
  /** The agent's picture, or nothing: then a gradient of its own. */
  src?: string | null | undefined
  /** What the gradient is chosen by, or the gradient itself. */
  seed: string
  gradient?: string | undefined
  className?: string
  children?: ReactNode
}

/** An agent's face: its picture, or paint. An ornament: the name stands beside it. */
export function AgentCover({ src, seed, gradient, className, children }: AgentCoverProps) {
  return (
    <span
      className={classes('relative block overflow-hidden bg-sunken', className)}
      style={{ backgroundImage: gradient ?? coverOf(seed) }}
    >
      {src && <img src={src} alt="" loading="lazy" className="absolute inset-0 size-full object-cover" />}
      {children}
    </span>
  )
}
