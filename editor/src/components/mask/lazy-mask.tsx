import { lazyPart } from '../lazy-part'
import type { MaskDialogProps } from './mask-dialog'

/** The mask painter, whose code loads when it first opens. */
export const LazyMaskDialog = lazyPart<MaskDialogProps>(async () => (await import('./mask-dialog')).default)
