import type { ComponentProps } from 'react'

type VideoProps = Omit<ComponentProps<'video'>, 'title'> & { title: string }

/** A video with its name. What an agent made carries no caption track. */
export function Video({ title, ...rest }: VideoProps) {
  return <video aria-label={title} playsInline preload="metadata" {...rest} />
}
