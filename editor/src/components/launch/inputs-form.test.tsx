// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import events from '@testing-library/user-event'
import { useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { expect, it, vi } from 'vitest'
import { preloadControls } from '@/components/setting/lazy-controls'
import { TooltipProvider } from '@/components/tooltip'
import { type BrandSummary, brandsQuery } from '@/lib/api/brands'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/signed-in'
import { fieldsOf, type InputsSchema } from '@/lib/launch/fields'
import type { Inputs } from '@/lib/launch/inputs'
import { queryClient } from '@/lib/query-client'
import { InputsForm } from './inputs-form'

// Tests of the form are not about the loading of its controls.
await preloadControls()

const userEvent = events.setup({ delay: null })
const router = createRouter({ routeTree: createRootRoute() })

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
        <RouterContextProvider router={router}>
          <TooltipProvider>
            <Form />
          </TooltipProvider>
        </RouterContextProvider>
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

const OWN = { brand_name: 'Southbound', palette: ['#de8b3a'] }
const branded = (settings: object): InputsSchema => ({
  properties: {
    brand: {
      title: 'Brand',
      anyOf: [{ type: 'object', properties: { brand_name: { type: 'string' } } }, { type: 'null' }],
      'x-type': 'Brand',
      'x-settings': { ...settings },
    },
  },
})

it('offers published brands, no brand, and the agent’s own', async () => {
  const fjell = { id: 'b1', version: 2, content: { name: 'Fjell', colors: [] } }
  const draft = { id: 'b2', version: null, content: { name: 'Unpublished', colors: [] } }
  queryClient.setQueryData(brandsQuery.queryKey, [fjell, draft] as unknown as BrandSummary[])
  const seen = show(branded(OWN))
  const choose = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: /^Brand: / }))
    await userEvent.click(await screen.findByRole('menuitemradio', { name }))
  }
  expect(screen.getByRole('button', { name: 'Brand: Southbound (agent default)' })).toBeInTheDocument()
  await choose('Fjell')
  expect(seen).toHaveBeenLastCalledWith('brand', { $type: 'Brand', saved: 'b1' })
  expect(screen.getByRole('button', { name: 'Brand: Fjell' })).toBeInTheDocument()
  await choose('No brand')
  expect(seen).toHaveBeenLastCalledWith('brand', { $type: 'Brand' })
  await choose('Southbound (agent default)')
  expect(seen).toHaveBeenLastCalledWith('brand', null)
  await userEvent.click(screen.getByRole('button', { name: /^Brand: / }))
  expect(screen.getAllByRole('menuitemradio')).toHaveLength(3)
  await userEvent.keyboard('{Escape}')
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

it('groups the settings that the builder offers by their node, and keeps to the allowed choices', async () => {
  const image = { 'x-node': 'image_generation', 'x-group': 'Hero images' }
  const seen = show(
    {
      properties: {
        'hero.aspect_ratio': {
          ...image,
          type: 'string',
          title: 'Ratio',
          enum: ['1:1', '4:5'],
          default: '1:1',
          'x-setting': 'aspect_ratio',
          'x-ui': { widget: 'segmented' },
        },
      },
    },
    { 'hero.aspect_ratio': '1:1' },
  )
  const group = screen.getByRole('group', { name: 'Hero images' })
  expect(
    within(group)
      .getAllByRole('radio')
      .map((one) => one.textContent),
  ).toEqual(['1:1', '4:5'])
  await userEvent.click(within(group).getByRole('radio', { name: '4:5' }))
  expect(seen).toHaveBeenCalledWith('hero.aspect_ratio', '4:5')
})

it('shows the settings of two nodes with one title in a group each', () => {
  const count = {
    type: 'integer',
    title: 'Number of images',
    default: 3,
    'x-type': 'Integer',
    'x-node': 'image_generation',
    'x-group': 'Image generation',
    'x-setting': 'n_images',
  } as const
  show({ properties: { 'day.n_images': count, 'night.n_images': count } })
  const groups = screen.getAllByRole('group').map((group) => group.querySelector('legend')?.textContent)
  expect(groups).toEqual(['Image generation', 'Image generation 2'])
})
