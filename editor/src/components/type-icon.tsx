import {
  AudioLines,
  Braces,
  Diamond,
  File,
  Hash,
  Image,
  type LucideIcon,
  Shapes,
  SquareDashed,
  ToggleLeft,
  Type,
  Video,
} from 'lucide-react'
import { classes } from '@/lib/classes'
import { colorOfType, textColorClass, type ValueType } from '@/lib/type-colors'

const glyphs: Record<ValueType, LucideIcon> = {
  Text: Type,
  Image,
  Mask: SquareDashed,
  Video,
  Audio: AudioLines,
  Brand: Diamond,
  Json: Braces,
  Number: Hash,
  Integer: Hash,
  Boolean: ToggleLeft,
  File,
  Any: Shapes,
}

/** The icon of a value type; unknown types use that of Any. */
export function glyphOf(type: string): LucideIcon {
  return glyphs[type as ValueType] ?? Shapes
}

type TypeIconProps = { type: string; className?: string }

/** The icon of a value type in its pigment. Decorative, since the name is beside it. */
export function TypeIcon({ type, className }: TypeIconProps) {
  const Glyph = glyphOf(type)
  return <Glyph aria-hidden className={classes('size-4', textColorClass[colorOfType(type)], className)} />
}

type TypeTileProps = TypeIconProps & {
  /** An icon other than that of the type, in the type's pigment. */
  glyph?: LucideIcon
}

/** The icon on its tinted tile, as on nodes and in the palette. */
export function TypeTile({ type, glyph, className }: TypeTileProps) {
  const Glyph = glyph ?? glyphOf(type)
  return (
    <span
      aria-hidden
      className={classes(
        'tinted-tile grid size-6 flex-none place-items-center rounded-[7px] [&_svg]:size-3.5',
        textColorClass[colorOfType(type)],
        className,
      )}
    >
      <Glyph />
    </span>
  )
}

type PortDotProps = {
  type: string
  /** Lists are square, single values round. */
  list?: boolean
  className?: string
}

/** A port: color shows the type, shape shows single or list. */
export function PortDot({ type, list, className }: PortDotProps) {
  return (
    <i
      aria-hidden
      className={classes(
        'block size-[13px] flex-none border-[3px] border-surface bg-current shadow-[0_0_0_1.5px_currentColor]',
        list ? 'rounded-[4px]' : 'rounded-pill',
        textColorClass[colorOfType(type)],
        className,
      )}
    />
  )
}
