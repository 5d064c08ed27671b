import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadLogin } from '@/features/auth'
import { entrySearch } from '../return-search'
import { enter } from '../route-guards'
import { publicRoute } from './public'

export const loginRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'login',
  validateSearch: entrySearch,
  beforeLoad: enter,
  component: lazyRouteComponent(loadLogin, 'LoginPage'),
})
