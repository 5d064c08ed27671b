import type { ComponentProps } from 'react'

type FilmProps = Omit<ComponentProps<'video'>, 'title'> & { title: string }

/** A video with its name. What an agent made carries no caption track. */
export function Film({ title, ...rest }: FilmProps) {
  return <video aria-label={title} playsInline preload="metadata" {...rest} />
}
