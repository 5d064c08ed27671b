import { createRoute, redirect } from '@tanstack/react-router'
import { onboardingRoute } from './onboarding'

export const onboardingIndexRoute = createRoute({
  getParentRoute: () => onboardingRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/onboarding/company', replace: true })
  },
})
