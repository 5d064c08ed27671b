import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { onboardingRoute } from './onboarding'

export const companyRoute = createRoute({
  getParentRoute: () => onboardingRoute,
  path: 'company',
  component: lazyRouteComponent(() => import('@/features/onboarding'), 'CompanyPage'),
})
