import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'
import type { Box } from './model/image-layout'

type TileFrameProps = {
  /** Its place among the pictures; null where the page gives it one. */
  box: Box | null
  className?: string
  children: ReactNode
}

/** A tile's place in the gallery. Its size never depends on what is inside. */
export function TileFrame({ box, className, children }: TileFrameProps) {
  return (
    <li
      className={classes(
        'group/tile min-w-0 overflow-hidden rounded-[16px]',
        box ? 'absolute' : 'relative',
        className,
      )}
      style={box ? { left: box.x, top: box.y, width: box.width, height: box.height } : undefined}
    >
      {children}
    </li>
  )
}
