import { assetType } from '@/graph/catalog'
import type { Asset } from '@/lib/api/assets'

/** The value of a mask setting that an uploaded greyscale image makes. */
export function maskValue({ id: asset_id, kind, media_type, width, height, name }: Asset) {
  return {
    $type: 'Mask' as const,
    image: { $type: assetType(kind), asset_id, media_type, width, height, name },
  }
}
