import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadLogin } from '@/features/auth'
import { signInSearch } from '../return-search'
import { completeSignIn } from '../route-guards'
import { publicRoute } from './public'

export const loginRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'login',
  validateSearch: signInSearch,
  beforeLoad: completeSignIn,
  component: lazyRouteComponent(loadLogin, 'LoginPage'),
})
