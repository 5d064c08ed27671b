import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { runQuery } from '@/lib/api/runs'
import { queryClient } from '@/lib/query-client'
import { signedInRoute } from './signed-in'

export const runRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'run/$runId',
  loader: ({ params }) => void queryClient.prefetchQuery(runQuery(params.runId)),
  component: lazyRouteComponent(() => import('../pages/run-page'), 'RunRoutePage'),
})
