import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { currentUserQuery } from '@/lib/api/users'
import { queryClient } from '@/lib/query-client'
import { signedInRoute } from './signed-in'

export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'account/',
  loader: () => void queryClient.prefetchQuery(currentUserQuery),
  component: lazyRouteComponent(() => import('@/features/account'), 'AccountPage'),
})
