import { createRouter } from '@tanstack/react-router'
import { ErrorPage } from './error-page'
import { NotFound } from './not-found'
import { routeTree } from './routes'

export const router = createRouter({
  routeTree,
  trailingSlash: 'preserve',
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: ErrorPage,
})

export type Router = typeof router

declare module '@tanstack/react-router' {
  interface Register {
    router: Router
  }
}
