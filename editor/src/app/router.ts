import { createRouter } from '@tanstack/react-router'
import { RouteError } from './error-pages'
import { NotFoundPage } from './not-found-page'
import { PagePlaceholder } from './page-placeholder'
import { routeTree } from './routes'

export const router = createRouter({
  routeTree,
  trailingSlash: 'preserve',
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: RouteError,
  defaultPendingComponent: PagePlaceholder,
  defaultPendingMs: 300,
})

export type Router = typeof router

declare module '@tanstack/react-router' {
  interface Register {
    router: Router
  }
}
