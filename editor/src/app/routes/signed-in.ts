import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireSession } from '../route-guards'
import { rootRoute } from './root'

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('../layouts/signed-in-layout'), 'SignedInLayout'),
})
