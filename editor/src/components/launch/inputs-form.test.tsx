// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
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

it('renders each field from its schema, and returns the entered values', async () => {
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

const words = { type: 'array', items: { type: 'string' }, 'x-ui': { widget: 'list' } }
const brand = {
  type: 'object',
  properties: {
    brand_name: { type: 'string', default: '' },
    fonts: { ...words, 'x-ui': { widget: 'list', options: 'brand_system.fonts' } },
    banned_words: words,
  },
}

it('starts a custom brand from the agent’s own, and can restore that one', async () => {
  queryClient.setQueryData(['nodes', 'brand_system', 'options', 'fonts', ''], {
    items: [{ value: 'Inter', label: 'Inter' }],
    sources: [],
  })
  const own = { brand_name: 'Northbound', palette: ['#de8b3a'], fonts: ['Sans'] }
  const seen = show({
    properties: {
      brand: { title: 'Brand', anyOf: [brand, { type: 'null' }], 'x-type': 'Brand', 'x-settings': own },
    },
  })
  expect(screen.getByText('Northbound (agent default)')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Use another brand' }))
  expect(seen).toHaveBeenLastCalledWith('brand', { $type: 'Brand', ...own })
  await userEvent.type(screen.getByRole('textbox', { name: 'Brand name' }), ' Two')
  const two = { $type: 'Brand', ...own, brand_name: 'Northbound Two' }
  expect(seen).toHaveBeenLastCalledWith('brand', two)
  await userEvent.click(screen.getByRole('combobox', { name: 'Fonts 1' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Inter' }))
  expect(seen).toHaveBeenLastCalledWith('brand', { ...two, fonts: ['Inter'] })
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(seen).toHaveBeenLastCalledWith('brand', null)
  expect(screen.getByRole('button', { name: 'Use another brand' })).toBeInTheDocument()
})

it('customizes a brand that the agent has as a whole, and can restore it', async () => {
  const own = { $type: 'Brand', brand_name: 'Southbound' }
  const property = { title: 'Brand', ...brand, default: own, 'x-type': 'Brand' }
  const seen = show({ properties: { brand: property } }, { brand: own })
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(seen).toHaveBeenLastCalledWith('brand', null)
  expect(screen.getByText('Southbound (agent default)')).toBeInTheDocument()
})

it('renders a form for nested fields, and one per item of a list', async () => {
  const stop = { type: 'object', properties: { name: { type: 'string' }, nights: { type: 'integer' } } }
  const seen = show({
    properties: {
      home: { title: 'Home', 'x-type': 'Stop', ...stop },
      stops: { title: 'Stops', 'x-type': 'list[Stop]', type: 'array', items: stop },
    },
    required: ['home'],
  })
  const home = within(screen.getByRole('group', { name: 'Home' }))
  await userEvent.type(home.getByRole('spinbutton', { name: 'Nights' }), '3')
  expect(seen).toHaveBeenLastCalledWith('home', { nights: 3 })
  const stops = within(screen.getByRole('group', { name: 'Stops' }))
  await userEvent.click(stops.getByRole('button', { name: 'Add' }))
  await userEvent.type(stops.getByRole('textbox', { name: 'Name' }), 'R')
  expect(seen).toHaveBeenLastCalledWith('stops', [{ name: 'R' }])
})

const table = {
  type: 'array',
  items: { type: 'object' },
  title: 'Shots',
  'x-node': 'table',
  'x-type': 'Json',
}
const shots = { ...table, 'x-ui': { widget: 'table' } }

it('edits table cells and shows the error of the server', async () => {
  const seen = show(
    { properties: { shots } },
    { shots: [{ scene: 'Dawn', lens: '35' }] },
    { shots: 'At most 6 rows.' },
  )
  expect(screen.getByRole('alert')).toHaveTextContent('At most 6 rows.')
  await userEvent.type(screen.getByRole('textbox', { name: 'lens, row 1' }), ' mm')
  expect(seen).toHaveBeenLastCalledWith('shots', [{ scene: 'Dawn', lens: '35 mm' }])
  await userEvent.click(screen.getByRole('button', { name: 'Row' }))
  const added = { scene: '', lens: '' }
  expect(seen).toHaveBeenLastCalledWith('shots', [{ scene: 'Dawn', lens: '35 mm' }, added])
  await userEvent.click(screen.getByRole('button', { name: 'Remove row 1' }))
  expect(seen).toHaveBeenLastCalledWith('shots', [added])
})

it('keeps the columns of the agent’s own rows, also when all rows are removed', async () => {
  const own = [{ scene: 'Dawn', lens: 35 }]
  const seen = show({ properties: { shots: { ...shots, default: own } } }, { shots: own })
  expect(screen.queryByRole('textbox', { name: 'Name of column 1' })).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Remove row 1' }))
  await userEvent.click(screen.getByRole('button', { name: 'Add a row' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'lens, row 1' }), '50')
  expect(seen).toHaveBeenLastCalledWith('shots', [{ scene: '', lens: 50 }])
})
