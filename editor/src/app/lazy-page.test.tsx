// @vitest-environment jsdom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { InsideMain, RouteError } from './error-pages'
import { lazyPage } from './lazy-page'

afterEach(() => vi.restoreAllMocks())

test('a page whose code does not load offers to try again, inside the one main of its layout', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  let isOnline = false
  const load = async () => {
    if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module: /library.js')
    return { LibraryPage: () => <h1>Library</h1> }
  }
  const root = createRootRoute({
    component: () => (
      <main>
        <InsideMain value>
          <Outlet />
        </InsideMain>
      </main>
    ),
  })
  const index = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyPage(load, 'LibraryPage'),
  })
  const router = createRouter({
    routeTree: root.addChildren([index]),
    history: createMemoryHistory(),
    defaultErrorComponent: RouteError,
  })
  render(<RouterProvider router={router as never} />)
  expect(await screen.findByRole('heading', { name: 'This page could not be loaded' })).toBeInTheDocument()
  expect(screen.getAllByRole('main')).toHaveLength(1)
  isOnline = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Library' })).toBeInTheDocument()
})
