import { lazyPart } from '../lazy-part'
import type { MaskedEditProps } from './masked-edit'

/** Painting a mask on an image to edit it, whose code loads when it first opens. */
export const LazyMaskedEdit = lazyPart<MaskedEditProps>(async () => (await import('./masked-edit')).default)
