import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadSignup } from '@/features/auth'
import { requireNoSession } from '../guard'
import { returnSearch } from '../return-search'
import { publicRoute } from './public'

export const signupRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'signup',
  validateSearch: returnSearch,
  beforeLoad: requireNoSession,
  component: lazyRouteComponent(loadSignup, 'SignupPage'),
})
