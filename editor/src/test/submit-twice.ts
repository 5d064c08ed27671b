import { fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import type { ReactNode } from 'react'
import { expect, vi } from 'vitest'
import type { startBackend } from './backend'
import { renderPage } from './render-page'

/**
 * Fills in a form and submits it twice at once, which has to send one request. Loses its response and submits again.
 * Returns the idempotency keys of both requests.
 */
export async function submitTwice(
  backend: ReturnType<typeof startBackend>,
  form: ReactNode,
  label: RegExp,
): Promise<(string | null)[]> {
  const keys: (string | null)[] = []
  backend.use(
    http.get('*', () => new HttpResponse(null, { status: 404 })),
    http.all('*', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'))
      return HttpResponse.error()
    }),
  )
  renderPage(() => form)
  await userEvent.type(await screen.findByLabelText(label), 'Autumn')
  const element = document.querySelector('form') as HTMLFormElement
  fireEvent.submit(element)
  fireEvent.submit(element)
  await screen.findByText('The server cannot be reached.', { exact: false })
  expect(keys).toHaveLength(1)
  fireEvent.submit(element)
  await vi.waitFor(() => expect(keys).toHaveLength(2))
  return keys
}
