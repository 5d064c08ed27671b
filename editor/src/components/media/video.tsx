import type { ComponentProps } from 'react'

type VideoProps = Omit<ComponentProps<'video'>, 'title'> & { title: string }

/** A video with its name. Generated videos have no caption track. */
export function Video({ title, ...rest }: VideoProps) {
  return <video aria-label={title} playsInline preload="metadata" {...rest} />
}
