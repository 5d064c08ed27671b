import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { librarySearch } from '../library-search'
import { signedInRoute } from './signed-in'

export const libraryRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'library',
  validateSearch: librarySearch,
  component: lazyRouteComponent(() => import('../pages/library-page'), 'LibraryRoutePage'),
})
