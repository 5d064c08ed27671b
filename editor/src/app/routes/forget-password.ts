import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { publicRoute } from './public'

export const forgetPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'forget-password',
  component: lazyRouteComponent(() => import('@/features/auth'), 'ForgetPasswordPage'),
})
