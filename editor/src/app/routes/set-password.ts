import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadSetPassword } from '@/features/auth'
import { returnSearch } from '../return-search'
import { requireNoSession } from '../route-guards'
import { publicRoute } from './public'

export const setPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'set-password',
  validateSearch: returnSearch,
  beforeLoad: requireNoSession,
  component: lazyRouteComponent(loadSetPassword, 'SetPasswordPage'),
})
