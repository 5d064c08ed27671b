// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import '@/lib/i18n'
import { Combobox } from './combobox'

const choices = [
  { value: 'flux', label: 'Flux 1.1' },
  { value: 'kling', label: 'Kling 2.1' },
]

function open(props: Partial<Parameters<typeof Combobox>[0]> = {}) {
  const onValueChange = vi.fn()
  render(<Combobox aria-label="Model" value="" onValueChange={onValueChange} choices={choices} {...props} />)
  return { onValueChange, trigger: screen.getByRole('combobox', { name: 'Model' }) }
}

test('typing filters the choices; Enter selects one', async () => {
  const { onValueChange, trigger } = open()
  await userEvent.click(trigger)
  await userEvent.keyboard('kli')
  expect(screen.getAllByRole('option')).toHaveLength(1)
  await userEvent.keyboard('{Enter}')
  expect(onValueChange).toHaveBeenCalledWith('kling')
})

test('an empty result has a message', async () => {
  const { trigger } = open()
  await userEvent.click(trigger)
  await userEvent.keyboard('zzz')
  expect(screen.getByText('No results found')).toBeVisible()
})

test('with free text allowed, the typed text can be selected', async () => {
  const { onValueChange, trigger } = open({ free: true })
  await userEvent.click(trigger)
  await userEvent.keyboard('my-model')
  await userEvent.click(screen.getByRole('option', { name: 'Use “my-model”' }))
  expect(onValueChange).toHaveBeenCalledWith('my-model')
})
