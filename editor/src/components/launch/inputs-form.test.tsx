import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import events from '@testing-library/user-event'
import { useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { expect, it, vi } from 'vitest'
import { TooltipProvider } from '@/components/tooltip'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/signed-in'
import { fieldsOf, type InputsSchema } from '@/lib/launch/fields'
import type { Inputs } from '@/lib/launch/inputs'
import { queryClient } from '@/lib/query-client'
import { InputsForm } from './inputs-form'

const userEvent = events.setup({ delay: null })

function show(schema: InputsSchema, start: Inputs = {}, errors: Record<string, string> = {}) {
  const seen = vi.fn()
  function Form() {
    const [values, setValues] = useState(start)
    return (
      <InputsForm
        fields={fieldsOf(schema)}
        values={values}
        errors={errors}
        onChange={(field, value) => {
          seen(field.id, value)
          setValues((known) => ({ ...known, [field.id]: value }))
        }}
      />
    )
  }
  render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <Form />
        </TooltipProvider>
      </QueryClientProvider>
    </I18nextProvider>,
  )
  return seen
}

it('draws each field from its schema, and hands back what is filled in', async () => {
  const seen = show({
    properties: {
      brief: { type: 'string', title: 'Brief', 'x-type': 'Text', 'x-ui': { widget: 'long_text' } },
      ratio: { type: 'string', title: 'Ratio', enum: ['1:1', '4:5'], 'x-type': 'Text' },
      price: { type: 'number', title: 'Price', 'x-type': 'Number', 'x-ui': { unit: 'USD' } },
      night: { type: 'boolean', title: 'At night', 'x-type': 'Boolean' },
    },
    required: ['brief'],
  })
  await userEvent.type(screen.getByRole('textbox', { name: 'Brief' }), 'Hi')
  expect(seen).toHaveBeenLastCalledWith('brief', 'Hi')
  expect(screen.getByRole('textbox', { name: 'Brief' })).toHaveAttribute('aria-required', 'true')
  await userEvent.click(screen.getByRole('radio', { name: '4:5' }))
  expect(seen).toHaveBeenLastCalledWith('ratio', '4:5')
  await userEvent.type(screen.getByRole('spinbutton', { name: 'Price' }), '12')
  expect(seen).toHaveBeenLastCalledWith('price', 12)
  await userEvent.clear(screen.getByRole('spinbutton', { name: 'Price' }))
  expect(seen).toHaveBeenLastCalledWith('price', null)
  await userEvent.click(screen.getByRole('switch', { name: 'At night' }))
  expect(seen).toHaveBeenLastCalledWith('night', true)
})

it('begins another brand from the agent’s own, and goes back to it', async () => {
  const own = { brand_name: 'Northbound', palette: ['#de8b3a'] }
  const seen = show({
    properties: { brand: { title: 'Brand', 'x-type': 'Brand', 'x-settings': own } },
  })
  expect(screen.getByText('Northbound, the agent’s own')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Use another brand' }))
  expect(seen).toHaveBeenLastCalledWith('brand', expect.objectContaining({ $type: 'Brand', ...own }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Brand name' }), ' Two')
  expect(seen).toHaveBeenLastCalledWith('brand', expect.objectContaining({ brand_name: 'Northbound Two' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(seen).toHaveBeenLastCalledWith('brand', null)
})

it('edits a table cell by cell and says what the server refused', async () => {
  const seen = show(
    { properties: { shots: { type: 'array', title: 'Shots', 'x-node': 'table', 'x-type': 'Json' } } },
    { shots: [{ scene: 'Dawn', lens: '35' }] },
    { shots: 'At most 6 rows.' },
  )
  expect(screen.getByRole('alert')).toHaveTextContent('At most 6 rows.')
  await userEvent.type(screen.getByRole('textbox', { name: 'lens, row 1' }), ' mm')
  expect(seen).toHaveBeenLastCalledWith('shots', [{ scene: 'Dawn', lens: '35 mm' }])
  await userEvent.click(screen.getByRole('button', { name: 'Add a row' }))
  expect(seen).toHaveBeenLastCalledWith('shots', [
    { scene: 'Dawn', lens: '35 mm' },
    { scene: '', lens: '' },
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Remove row 1' }))
  expect(seen).toHaveBeenLastCalledWith('shots', [{ scene: '', lens: '' }])
})
