import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { PageLoadError } from './error-pages'

declare global {
  interface Window {
    /** Set by `public/start.js`, which evaluates the files of the first page one after another. */
    pageEvaluated?: Promise<void>
  }
}

/**
 * A page whose code loads on navigation. If that fails the page offers to try again; the router alone would reload
 * the address, and without a connection leave the app.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): AsyncRouteComponent<object> {
  const page: AsyncRouteComponent<object> = lazyRouteComponent<Record<Name, ComponentType>, Name>(
    async () => {
      await window.pageEvaluated
      return load().catch((cause: unknown) => {
        throw new PageLoadError(cause, async () => page.preload?.())
      })
    },
    name,
  )
  return page
}
