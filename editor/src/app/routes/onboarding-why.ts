import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { onboardingRoute } from './onboarding'

export const whyRoute = createRoute({
  getParentRoute: () => onboardingRoute,
  path: 'why',
  component: lazyRouteComponent(() => import('@/features/onboarding'), 'WhyPage'),
})
