// @vitest-environment jsdom
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { use } from 'react'
import { I18nextProvider } from 'react-i18next'
import { expect, test } from 'vitest'
import { i18n } from '@/lib/i18n'
import { PagePlaceholder } from './page-placeholder'

test('a page that waits for its data shows a placeholder', async () => {
  let tell: (name: string) => void = () => undefined
  const name = new Promise<string>((done) => {
    tell = done
  })
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <h1>{use(name)}</h1> }),
    history: createMemoryHistory(),
    defaultPendingComponent: PagePlaceholder,
  })
  render(
    <I18nextProvider i18n={i18n}>
      <RouterProvider router={router as never} />
    </I18nextProvider>,
  )
  expect(await screen.findByRole('status')).toHaveTextContent('Loading')
  await act(async () => tell('Mara'))
  expect(await screen.findByRole('heading', { name: 'Mara' })).toBeInTheDocument()
})
