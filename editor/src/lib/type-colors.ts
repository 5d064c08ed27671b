/** Value types and the pigments that represent them. */
export type ValueType =
  | 'Text'
  | 'Number'
  | 'Integer'
  | 'Boolean'
  | 'Json'
  | 'Image'
  | 'Mask'
  | 'Video'
  | 'Audio'
  | 'File'
  | 'Brand'
  | 'Any'

export type TypeColor = 'cobalt' | 'vermilion' | 'violet' | 'viridian' | 'ochre' | 'slate'

const typeColors: Record<ValueType, TypeColor> = {
  Text: 'cobalt',
  Image: 'vermilion',
  Mask: 'vermilion',
  Video: 'violet',
  Audio: 'viridian',
  Brand: 'ochre',
  Json: 'slate',
  Number: 'slate',
  Integer: 'slate',
  Boolean: 'slate',
  File: 'slate',
  Any: 'slate',
}

/** Types of plugins are slate, like every type that is neither text nor media. */
export function colorOfType(type: string): TypeColor {
  return typeColors[type as ValueType] ?? 'slate'
}

/** For strokes, fills and ports. */
export const colorVariable: Record<TypeColor, string> = {
  cobalt: 'var(--cobalt)',
  vermilion: 'var(--vermilion)',
  violet: 'var(--violet)',
  viridian: 'var(--viridian)',
  ochre: 'var(--ochre)',
  slate: 'var(--slate)',
}

/** Full class names, so that the stylesheet contains them. */
export const textColorClass: Record<TypeColor, string> = {
  cobalt: 'text-cobalt',
  vermilion: 'text-vermilion',
  violet: 'text-violet',
  viridian: 'text-viridian',
  ochre: 'text-ochre',
  slate: 'text-slate',
}

export const fillColorClass: Record<TypeColor, string> = {
  cobalt: 'bg-cobalt',
  vermilion: 'bg-vermilion',
  violet: 'bg-violet',
  viridian: 'bg-viridian',
  ochre: 'bg-ochre',
  slate: 'bg-slate',
}

/** The output types of an agent, from `kinds` of its summary. */
export type Kind = 'image' | 'mask' | 'video' | 'audio' | 'text' | 'data'

export const typeOfKind: Record<Kind, ValueType> = {
  image: 'Image',
  mask: 'Mask',
  video: 'Video',
  audio: 'Audio',
  text: 'Text',
  data: 'Json',
}
