import { lazyPart } from '@/components/lazy-part'
import type { ControlProps } from './control-props'

const load = () => import('./rare-controls')
const block = <div aria-hidden data-loading className="h-24 animate-pulse rounded-m bg-sunken" />
const row = <div aria-hidden data-loading className="h-10 animate-pulse rounded-m bg-sunken" />

export const LazyApiWorkflow = lazyPart<ControlProps>(async () => (await load()).ApiWorkflowControl, block)
export const LazyConditions = lazyPart<ControlProps>(async () => (await load()).ConditionsControl, block)
export const LazyKeyValue = lazyPart<ControlProps>(async () => (await load()).KeyValueControl, block)
export const LazyMask = lazyPart<ControlProps>(async () => (await load()).MaskControl, row)
export const LazySchema = lazyPart<ControlProps>(async () => (await load()).SchemaControl, block)
export const LazyTable = lazyPart<ControlProps>(async () => (await load()).TableControl, block)

/** Loads the code of these controls, which then appear at once, also without a connection. */
export const preloadControls = () =>
  Promise.all(
    [LazyApiWorkflow, LazyConditions, LazyKeyValue, LazyMask, LazySchema, LazyTable].map(({ preload }) =>
      preload(),
    ),
  )
