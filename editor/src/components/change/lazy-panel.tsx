import { lazyPart } from '../lazy-part'
import { Skeleton } from '../surfaces'

/** Changes an image; loaded when it is shown. */
export const ChangePanel = lazyPart(
  async () => (await import('./change-panel')).default,
  <Skeleton className="h-20" />,
)
