import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from './signed-in'

export const libraryRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'library',
  component: lazyRouteComponent(() => import('@/features/assets'), 'LibraryPage'),
})
