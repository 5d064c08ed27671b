// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import { act } from 'react'
import { expect, test } from 'vitest'
import { useToasts } from '@/lib/toasts'
import { lazyPart } from './lazy-part'

test('a part whose code does not load keeps the page, and offers to try again', async () => {
  let isOnline = false
  const Part = lazyPart<{ name: string }>(
    async () => {
      if (!isOnline) throw new TypeError('Failed to fetch dynamically imported module')
      return ({ name }) => <p>Hello {name}</p>
    },
    <p>Loading</p>,
  )
  render(
    <>
      <h1>Page</h1>
      <Part name="Mara" />
    </>,
  )
  await waitFor(() => expect(useToasts.getState().toasts[0]?.title).toBe('This part could not be loaded'))
  expect(screen.getByRole('heading', { name: 'Page' })).toBeInTheDocument()
  expect(screen.getByText('Loading')).toBeInTheDocument()
  isOnline = true
  act(() => useToasts.getState().toasts[0]?.action?.onPress())
  expect(await screen.findByText('Hello Mara')).toBeInTheDocument()
  expect(screen.queryByText('Loading')).not.toBeInTheDocument()
})

test('a part that was loaded before is shown at once', async () => {
  const Part = lazyPart(async () => () => <p>Here</p>, <p>Loading</p>)
  await Part.preload()
  render(<Part />)
  expect(screen.getByText('Here')).toBeInTheDocument()
})
