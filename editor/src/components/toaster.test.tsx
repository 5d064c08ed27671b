// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import '@/lib/i18n'
import { toast, toastError, useToasts } from '@/lib/toasts'
import { Toaster } from './toaster'
import { TooltipProvider } from './tooltip'

beforeEach(() => useToasts.setState({ toasts: [] }))

const mount = () =>
  render(
    <TooltipProvider>
      <Toaster />
    </TooltipProvider>,
  )

test('shows one toast at a time, the newest', () => {
  mount()
  act(() => void toast({ title: 'Saved' }))
  act(() => void toastError('Error updating avatar'))
  expect(screen.queryByText('Saved')).not.toBeInTheDocument()
  expect(screen.getAllByText('Error updating avatar')[0]).toBeVisible()
})

test('a toast can be dismissed', async () => {
  mount()
  act(() => void toast({ title: 'Saved' }))
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByText('Saved')).not.toBeInTheDocument()
})

test('a toast can offer an action', async () => {
  mount()
  let undone = false
  act(
    () =>
      void toast({
        title: 'Deleted',
        action: {
          label: 'Undo',
          onPress: () => {
            undone = true
          },
        },
      }),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undone).toBe(true)
})

test('closing a toast by keyboard returns the focus', async () => {
  const place = document.createElement('div')
  place.id = 'layers'
  document.body.append(place)
  render(
    <TooltipProvider>
      <button type="button">Work</button>
      <Toaster />
    </TooltipProvider>,
  )
  const keys = userEvent.setup()
  screen.getByRole('button', { name: 'Work' }).focus()
  act(() => void toast({ title: 'Saved' }))
  await keys.keyboard('{F8}')
  act(() => screen.getByRole('button', { name: 'Dismiss' }).focus())
  await keys.keyboard('{Enter}')
  expect(screen.getByRole('button', { name: 'Work' })).toHaveFocus()
  place.remove()
})
