/** Values in the JSON of runs: plain data, or a tagged reference to an asset. */
export interface MediaValue {
  readonly $type: 'Image' | 'Video' | 'Audio' | 'File'
  readonly asset_id: string
  readonly media_type?: string
  readonly width?: number | null
  readonly height?: number | null
  readonly seconds?: number | null
  readonly bytes?: number | null
  readonly name?: string | null
  /** Whether it is the image of a mask. */
  readonly isMask?: boolean
}

const KINDS = new Set(['Image', 'Video', 'Audio', 'File'])

export function isMedia(value: unknown): value is MediaValue {
  if (typeof value !== 'object' || value === null) return false
  const { $type, asset_id } = value as Partial<MediaValue>
  return typeof asset_id === 'string' && typeof $type === 'string' && KINDS.has($type)
}

/** The part of an image that an edit may change. */
export interface MaskValue {
  readonly $type: 'Mask'
  readonly image: MediaValue
}

export function isMask(value: unknown): value is MaskValue {
  if (typeof value !== 'object' || value === null) return false
  const { $type, image } = value as Partial<MaskValue>
  return $type === 'Mask' && isMedia(image)
}

/** Every media value in nested lists and objects. */
export function mediaIn(value: unknown): MediaValue[] {
  if (isMedia(value)) return [value]
  if (isMask(value)) return [{ ...value.image, isMask: true }]
  if (Array.isArray(value)) return value.flatMap(mediaIn)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(mediaIn)
  return []
}
