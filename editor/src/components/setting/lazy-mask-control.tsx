import { lazyPart } from '@/components/lazy-part'
import type { ControlProps } from './control-props'

/** The control of masks, which most flows do not need. */
export const LazyMaskControl = lazyPart<ControlProps>(
  async () => (await import('./mask-control')).MaskControl,
  <div aria-hidden className="h-10 animate-pulse rounded-m bg-sunken" />,
)
