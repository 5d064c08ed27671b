import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { loadForgetPassword, loadInvitation, loadLogin, loadSetPassword, loadSignup } from '@/features/auth'
import { tagsQuery } from '@/lib/api/asset-labels'
import { assetsQuery, libraryQuery } from '@/lib/api/assets'
import { brandsQuery } from '@/lib/api/brands'
import { collectionsQuery } from '@/lib/api/collections'
import { flowPagesQuery, ownFlowsQuery } from '@/lib/api/flows'
import { runListQuery, runTotalsQuery } from '@/lib/api/run-list'
import { runQuery } from '@/lib/api/runs'
import { currentUserQuery } from '@/lib/api/users'
import { readHomeDraft } from '@/lib/launch/saved-launch'
import { queryClient } from '@/lib/query-client'
import { loadFlow } from './editor/flow-loader'
import { lazyPage } from './lazy-page'
import { NotFoundPage } from './not-found-page'
import {
  completeSignIn,
  requireAdmin,
  requireNoSession,
  requireSession,
  requireUnanswered,
} from './route-guards'
import {
  adminSearch,
  agentsSearch,
  brandsSearch,
  flowSearch,
  forgetPasswordSearch,
  homeSearch,
  librarySearch,
  returnSearch,
  runSearch,
  runsSearch,
  signInSearch,
} from './route-search'
import { SlicedOutlet } from './sliced-outlet'

export const rootRoute = createRootRoute({ component: SlicedOutlet, notFoundComponent: NotFoundPage })

export const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'public',
  component: lazyPage(() => import('./layouts/public-layout'), 'PublicLayout'),
})

export const loginRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'login',
  validateSearch: signInSearch,
  beforeLoad: completeSignIn,
  component: lazyPage(loadLogin, 'LoginPage'),
})

export const signupRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'signup',
  validateSearch: returnSearch,
  beforeLoad: requireNoSession,
  component: lazyPage(loadSignup, 'SignupPage'),
})

export const forgetPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'forget-password',
  validateSearch: forgetPasswordSearch,
  component: lazyPage(loadForgetPassword, 'ForgetPasswordPage'),
})

export const invitationRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'invitation',
  component: lazyPage(loadInvitation, 'InvitationPage'),
})

export const setPasswordRoute = createRoute({
  getParentRoute: () => publicRoute,
  path: 'set-password',
  validateSearch: returnSearch,
  beforeLoad: requireNoSession,
  component: lazyPage(loadSetPassword, 'SetPasswordPage'),
})

export const onboardingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'onboarding',
  validateSearch: returnSearch,
  beforeLoad: requireUnanswered,
  component: lazyPage(() => import('./layouts/onboarding-layout'), 'OnboardingLayout'),
})

export const onboardingIndexRoute = createRoute({
  getParentRoute: () => onboardingRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/onboarding/company', replace: true })
  },
})

export const companyRoute = createRoute({
  getParentRoute: () => onboardingRoute,
  path: 'company',
  component: lazyPage(() => import('@/features/onboarding'), 'CompanyPage'),
})

export const whyRoute = createRoute({
  getParentRoute: () => onboardingRoute,
  path: 'why',
  component: lazyPage(() => import('@/features/onboarding'), 'WhyPage'),
})

export const activateAccountRoute = createRoute({
  getParentRoute: () => onboardingRoute,
  path: 'activate-account',
  component: lazyPage(() => import('@/features/onboarding'), 'ActivateAccountPage'),
})

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: requireSession,
  component: lazyPage(() => import('./layouts/signed-in-layout'), 'SignedInLayout'),
})

export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: homeSearch,
  loader: ({ location }) => {
    const images = homeSearch(location.search).images ?? readHomeDraft().images
    void queryClient.prefetchInfiniteQuery(flowPagesQuery({ includeAll: false, mine: false }))
    void queryClient.prefetchQuery(brandsQuery)
    // Without ids the server lists every asset.
    if (images.length > 0) void queryClient.prefetchQuery(assetsQuery(images))
  },
  component: lazyPage(() => import('./pages/home-page'), 'HomeRoutePage'),
})

export const agentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'flow/',
  validateSearch: agentsSearch,
  loader: () => void queryClient.prefetchQuery(ownFlowsQuery),
  component: lazyPage(() => import('./pages/agents-page'), 'AgentsRoutePage'),
})

export const runsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'runs',
  validateSearch: runsSearch,
  loader: ({ location }) => {
    const filters = runsSearch(location.search)
    // Those of a narrowed list depend on the time of the page.
    if (Object.keys(filters).length === 0) void queryClient.prefetchInfiniteQuery(runListQuery({}))
    void queryClient.prefetchQuery(runTotalsQuery)
    void queryClient.prefetchQuery(brandsQuery)
  },
  component: lazyPage(() => import('./pages/runs-page'), 'RunsRoutePage'),
})

export const runRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'run/$runId',
  validateSearch: runSearch,
  loader: ({ params }) => void queryClient.prefetchQuery(runQuery(params.runId)),
  component: lazyPage(() => import('./pages/run-page'), 'RunRoutePage'),
})

export const libraryRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'library',
  validateSearch: librarySearch,
  loader: ({ location }) => {
    void queryClient.prefetchInfiniteQuery(libraryQuery(librarySearch(location.search)))
    void queryClient.prefetchQuery(collectionsQuery)
    void queryClient.prefetchQuery(tagsQuery)
  },
  component: lazyPage(() => import('./pages/library-page'), 'LibraryRoutePage'),
})

export const brandsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'brands/',
  validateSearch: brandsSearch,
  loader: () => void queryClient.prefetchQuery(brandsQuery),
  component: lazyPage(() => import('./pages/brands-page'), 'BrandsRoutePage'),
})

export const brandRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'brands/$brandId',
  component: lazyPage(() => import('./pages/brands-page'), 'BrandRoutePage'),
})

export const impactRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'brands/$brandId/impact',
  component: lazyPage(() => import('./pages/brands-page'), 'ImpactRoutePage'),
})

export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'account/',
  loader: () => void queryClient.prefetchQuery(currentUserQuery),
  component: lazyPage(() => import('@/features/account'), 'AccountPage'),
})

export const connectionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'account/connections',
  component: lazyPage(() => import('@/features/connections'), 'ConnectionsPage'),
})

export const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'admin',
  beforeLoad: () => {
    throw redirect({ to: '/admin/$section', params: { section: 'people' }, replace: true })
  },
})

export const adminSectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'admin/$section',
  validateSearch: adminSearch,
  beforeLoad: requireAdmin,
  component: lazyPage(() => import('@/features/admin'), 'AdminPage'),
})

/** The editor fills the window; its own bars replace the navigation. */
export const flowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'flow/$flowId',
  validateSearch: flowSearch,
  beforeLoad: requireSession,
  loader: ({ params, cause }) => loadFlow(params.flowId, cause),
  component: lazyPage(() => import('./pages/flow-page'), 'FlowRoutePage'),
})

export const routeTree = rootRoute.addChildren([
  publicRoute.addChildren([loginRoute, signupRoute, forgetPasswordRoute, invitationRoute, setPasswordRoute]),
  onboardingRoute.addChildren([onboardingIndexRoute, companyRoute, whyRoute, activateAccountRoute]),
  signedInRoute.addChildren([
    homeRoute,
    agentsRoute,
    runsRoute,
    runRoute,
    libraryRoute,
    brandsRoute,
    brandRoute,
    impactRoute,
    accountRoute,
    connectionsRoute,
    adminRoute,
    adminSectionRoute,
  ]),
  flowRoute,
])
