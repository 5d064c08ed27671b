import { createRoute } from '@tanstack/react-router'
import { OnboardingLayout } from '../layouts/onboarding-layout'
import { returnSearch } from '../return-search'
import { rootRoute } from './root'

export const onboardingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'onboarding',
  validateSearch: returnSearch,
  component: OnboardingLayout,
})
