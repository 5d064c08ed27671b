import { lazyPart } from '../lazy-part'
import { Skeleton } from '../surfaces'

/** The star and the tags of one asset; loaded when they are shown. */
export const AssetLabels = lazyPart(
  async () => (await import('./asset-labels')).default,
  <Skeleton className="h-7" />,
)
