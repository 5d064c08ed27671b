import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { flowQuery } from '@/lib/api/flows'
import { queryClient } from '@/lib/query-client'
import { requireSession } from '../route-guards'
import { rootRoute } from './root'

/** The run to show on the canvas. */
function flowSearch({ run }: Record<string, unknown>): { run?: string } {
  return typeof run === 'string' && run ? { run } : {}
}

/** The editor has the whole window; its own bars take the place of the navigation. */
export const flowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'flow/$flowId',
  validateSearch: flowSearch,
  beforeLoad: requireSession,
  loader: ({ params }) => void queryClient.prefetchQuery(flowQuery(params.flowId)),
  component: lazyRouteComponent(() => import('../pages/flow-page'), 'FlowRoutePage'),
})
