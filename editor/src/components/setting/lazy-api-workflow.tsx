import { lazyPart } from '@/components/lazy-part'
import type { ControlProps } from './control-props'

/** The chooser of a workflow's fields, which most flows do not need. */
export const LazyApiWorkflow = lazyPart<ControlProps>(
  async () => (await import('./api-workflow-control')).ApiWorkflowControl,
  <div aria-hidden className="h-24 animate-pulse rounded-m bg-sunken" />,
)
