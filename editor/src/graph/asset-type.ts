const TYPES = { image: 'Image', video: 'Video', audio: 'Audio' } as const

export type AssetType = (typeof TYPES)[keyof typeof TYPES] | 'File'

/** The value type of an asset by its kind, or by its media type; whatever else it is, it is a file. */
export function assetType(kind: string): AssetType {
  return TYPES[kind.split('/')[0] as keyof typeof TYPES] ?? 'File'
}
