// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import events from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { Select } from './select'

const user = events.setup({ delay: null })
const CHOICES = [
  { value: 'day', label: 'Last day' },
  { value: 'week', label: 'Past week' },
]
const onValueChange = vi.fn()

beforeEach(() => {
  // jsdom scrolls nothing.
  Element.prototype.scrollIntoView = () => {}
  onValueChange.mockClear()
  render(<Select aria-label="Time" value="day" onValueChange={onValueChange} choices={CHOICES} />)
})

it('shows its choice, and its choices once it is opened', async () => {
  const control = screen.getByRole('combobox', { name: 'Time' })
  expect(control).toHaveTextContent('Last day')
  control.focus()
  await user.keyboard('{Enter}')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Last day',
    'Past week',
  ])
  screen.getByRole('option', { name: 'Past week' }).focus()
  await user.keyboard('{Enter}')
  expect(onValueChange).toHaveBeenCalledWith('week')
})

it('selects a choice by its first letter without being opened', async () => {
  await user.tab()
  await user.keyboard('p')
  expect(onValueChange).toHaveBeenCalledWith('week')
})
