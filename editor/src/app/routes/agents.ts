import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { flowsQuery } from '@/lib/api/flows'
import { queryClient } from '@/lib/query-client'
import { agentsSearch } from '../agents-search'
import { signedInRoute } from './signed-in'

export const agentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'flow/',
  validateSearch: agentsSearch,
  loader: () => void queryClient.prefetchQuery(flowsQuery({ includeAll: true })),
  component: lazyRouteComponent(() => import('../pages/agents-page'), 'AgentsRoutePage'),
})
