import {
  AudioLines,
  Braces,
  Diamond,
  File,
  Hash,
  Image,
  type LucideIcon,
  Shapes,
  ToggleLeft,
  Type,
  Video,
} from 'lucide-react'
import { classes } from '@/lib/classes'
import { colorOfType, textColorClass, type ValueType } from '@/lib/type-colors'

const glyphs: Record<ValueType, LucideIcon> = {
  Text: Type,
  Image,
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

/** The glyph of a value type; an unknown one is drawn as Any. */
export function glyphOf(type: string): LucideIcon {
  return glyphs[type as ValueType] ?? Shapes
}

type TypeIconProps = { type: string; className?: string }

/** The bare glyph of a value type in its pigment. An ornament: the word stands beside it. */
export function TypeIcon({ type, className }: TypeIconProps) {
  const Glyph = glyphOf(type)
  return <Glyph aria-hidden className={classes('size-4', textColorClass[colorOfType(type)], className)} />
}

type TypeTileProps = TypeIconProps & {
  /** Another glyph than the type's own, in the type's pigment. */
  glyph?: LucideIcon
}

/** The glyph on its tinted tile, as nodes and the palette show it. */
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
  /** A list is square, one value is round. */
  list?: boolean
  className?: string
}

/** A port as it is drawn everywhere: pigment tells the type, shape tells one or many. */
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
