import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadForgetPassword } from '@/features/auth'
import { publicRoute } from './public'

export const forgetPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'forget-password',
  component: lazyRouteComponent(loadForgetPassword, 'ForgetPasswordPage'),
})
