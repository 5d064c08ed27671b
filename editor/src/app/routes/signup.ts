import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadSignup } from '@/features/auth'
import { returnSearch } from '../return-search'
import { requireNoSession } from '../route-guards'
import { publicRoute } from './public'

export const signupRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'signup',
  validateSearch: returnSearch,
  beforeLoad: requireNoSession,
  component: lazyRouteComponent(loadSignup, 'SignupPage'),
})
