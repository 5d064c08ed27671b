import { lazyPart } from '../lazy-part'
import type { MaskDialogProps } from './mask-dialog'

/** The mask painter, whose code loads when it first opens. */
export const LazyMaskDialog = lazyPart<MaskDialogProps>(async () => (await import('./mask-dialog')).default)

/** A mask as people read it; its code loads with the first mask that is shown. */
export const MaskResult = lazyPart(
  async () => (await import('./mask-result')).MaskResult,
  <span className="media-placeholder block size-full min-h-20 rounded-s" />,
)
