// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
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
  expect(onValueChange).toHaveBeenCalledWith('kling', choices[1])
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
  expect(onValueChange).toHaveBeenCalledWith('my-model', undefined)
})

test('choices with the same value are one choice each, also after they are filtered', async () => {
  const mini = { value: 'gpt-5-mini', label: 'GPT-5 mini' }
  const offered = [
    { ...mini, note: 'OpenAI' },
    { value: 'gemini', label: 'Gemini Flash', note: 'Google' },
    { ...mini, note: 'Azure' },
  ]
  const onValueChange = vi.fn()
  function Searched() {
    const [query, setQuery] = useState('')
    const found = offered.filter(({ value }) => value.includes(query))
    return (
      <Combobox
        aria-label="Model"
        value="gpt-5-mini"
        onValueChange={onValueChange}
        choices={found}
        onSearch={setQuery}
      />
    )
  }
  render(<Searched />)
  await userEvent.click(screen.getByRole('combobox', { name: 'Model' }))
  await userEvent.keyboard('gpt')
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'GPT-5 miniOpenAI',
    'GPT-5 miniAzure',
  ])
  await userEvent.keyboard('{End}{Enter}')
  expect(onValueChange).toHaveBeenCalledWith('gpt-5-mini', offered[2])
})

test('a value that is not among the choices is shown with its unit', () => {
  expect(open({ value: '5', unit: 's' }).trigger).toHaveTextContent('5 s')
})
