import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { onboardingRoute } from './onboarding'

export const activateAccountRoute = createRoute({
  getParentRoute: () => onboardingRoute,
  path: 'activate-account',
  component: lazyRouteComponent(() => import('@/features/onboarding'), 'ActivateAccountPage'),
})
