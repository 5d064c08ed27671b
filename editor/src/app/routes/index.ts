import { accountRoute } from './account'
import { agentsRoute } from './agents'
import { flowRoute } from './flow'
import { forgetPasswordRoute } from './forget-password'
import { homeRoute } from './home'
import { libraryRoute } from './library'
import { loginRoute } from './login'
import { onboardingRoute } from './onboarding'
import { activateAccountRoute } from './onboarding-activate-account'
import { companyRoute } from './onboarding-company'
import { onboardingIndexRoute } from './onboarding-index'
import { whyRoute } from './onboarding-why'
import { publicRoute } from './public'
import { rootRoute } from './root'
import { runRoute } from './run'
import { setPasswordRoute } from './set-password'
import { signedInRoute } from './signed-in'
import { signupRoute } from './signup'

export const routeTree = rootRoute.addChildren([
  publicRoute.addChildren([loginRoute, signupRoute, forgetPasswordRoute, setPasswordRoute]),
  onboardingRoute.addChildren([onboardingIndexRoute, companyRoute, whyRoute, activateAccountRoute]),
  signedInRoute.addChildren([homeRoute, agentsRoute, runRoute, libraryRoute, accountRoute]),
  flowRoute,
])
