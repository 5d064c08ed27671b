import { lazyPart } from '@/components/lazy-part'
import type { ControlProps } from './control-props'

/** The builder of conditions, which most flows do not need. */
export const LazyConditions = lazyPart<ControlProps>(
  async () => (await import('./conditions-control')).ConditionsControl,
  <div aria-hidden className="h-24 animate-pulse rounded-m bg-sunken" />,
)
