// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import events from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { afterEach, describe, expect, it } from 'vitest'
import type { Schema } from '@/graph/catalog'
import { queryClient } from '@/lib/query-client'
import { startBackend } from '@/test/backend'
import { type RenderedSetting, renderSetting } from '@/test/render-setting'

const person = events.setup({ delay: null })
const backend = startBackend()
afterEach(() => queryClient.clear())

const last = (shown: RenderedSetting) => shown.onChange.mock.lastCall?.[0]
const row = (name: string) => within(screen.getByRole('group', { name }))
const button = (name: string) => screen.getByRole('button', { name })

async function choose(select: HTMLElement, option: string): Promise<void> {
  select.focus()
  await person.keyboard('{Enter}')
  await person.click(await screen.findByRole('option', { name: option }))
}

const SCHEMA: Schema = { type: 'object', 'x-ui': { widget: 'schema' } }
const OPTIONAL: Schema = { anyOf: [SCHEMA, { type: 'null' }], default: null, 'x-ui': { widget: 'schema' } }

describe('a schema', () => {
  it('is built of fields with name, type, description and whether each is required', async () => {
    const shown = renderSetting(OPTIONAL)
    await person.click(button('Add a field'))
    const name = row('name').getByRole('textbox', { name: 'Name' })
    expect(name).toHaveFocus()
    await person.clear(name)
    await person.type(name, 'price')
    await choose(row('price').getByRole('combobox', { name: 'Type' }), 'Number')
    await person.type(row('price').getByRole('textbox', { name: 'Description' }), 'In euros')
    await person.click(row('price').getByRole('checkbox', { name: 'Required' }))
    expect(last(shown)).toEqual({
      type: 'object',
      properties: { price: { type: 'number', description: 'In euros' } },
      required: [],
      additionalProperties: false,
    })
    expect(shown.onSettle).toHaveBeenCalled()
    await person.click(button('Remove the field price'))
    expect(last(shown)).toBeUndefined()
  })

  it('has choices, lists and groups inside each other', async () => {
    const shown = renderSetting(SCHEMA, {
      type: 'object',
      properties: { scenes: { type: 'string' } },
      required: ['scenes'],
    })
    await choose(row('scenes').getByRole('combobox', { name: 'Type' }), 'List')
    await choose(
      row('scenes').getByRole('combobox', { name: 'Type of the items of scenes' }),
      'Group of fields',
    )
    const inner = within(screen.getByRole('group', { name: 'Fields of scenes' }))
    await person.click(inner.getByRole('button', { name: 'Add a field' }))
    await choose(inner.getByRole('combobox', { name: 'Type' }), 'Choice')
    await person.click(
      within(screen.getByRole('group', { name: 'Choices of name' })).getByRole('button', { name: 'Add' }),
    )
    await person.keyboard('wide')
    expect(last(shown)).toEqual({
      type: 'object',
      properties: {
        scenes: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string', enum: ['wide'] } },
            required: ['name'],
            additionalProperties: false,
          },
        },
      },
      required: ['scenes'],
    })
  })

  it('has an example of each text and number, which is removed with the type', async () => {
    const shown = renderSetting(SCHEMA, {
      type: 'object',
      properties: { price: { type: 'number' }, tags: { type: 'array', items: { type: 'string' } } },
    })
    await person.type(row('price').getByRole('spinbutton', { name: 'Example' }), '4.5')
    await person.type(row('tags').getByRole('textbox', { name: 'Example of the items of tags' }), 'new')
    expect(last(shown)).toMatchObject({
      properties: { price: { examples: [4.5] }, tags: { items: { examples: ['new'] } } },
    })
    await person.clear(row('price').getByRole('spinbutton', { name: 'Example' }))
    expect(last(shown)).toHaveProperty('properties.price', { type: 'number' })
  })

  it('keeps what the form does not show', async () => {
    const price = { type: 'number', minimum: 0 }
    const shown = renderSetting(SCHEMA, {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { price, size: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    })
    expect(row('size').getByText('The form cannot change this type. Edit it as JSON.')).toBeInTheDocument()
    await person.type(row('price').getByRole('textbox', { name: 'Description' }), 'x')
    expect(last(shown)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: {
        price: { ...price, description: 'x' },
        size: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      },
    })
  })

  it('refuses an empty name and one that another field has', async () => {
    const shown = renderSetting(SCHEMA, {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
    })
    const name = row('b').getByRole('textbox', { name: 'Name' })
    await person.clear(name)
    expect(screen.getByRole('alert')).toHaveTextContent('Enter a name.')
    await person.type(name, 'a')
    expect(name).toHaveAccessibleDescription('Another row has this name.')
    expect(shown.onChange).not.toHaveBeenCalled()
    await person.tab()
    expect(row('b').getByRole('textbox', { name: 'Name' })).toHaveValue('b')
  })

  it('can be edited as JSON, and the form follows', async () => {
    const shown = renderSetting(OPTIONAL)
    await person.click(screen.getByRole('tab', { name: 'JSON' }))
    await person.click(screen.getByRole('textbox', { name: 'It' }))
    await person.paste('{"type": "object", "properties": {"title": {"type": "string"}}}')
    expect(last(shown)).toEqual({ type: 'object', properties: { title: { type: 'string' } } })
    await person.click(screen.getByRole('tab', { name: 'Form' }))
    expect(row('title').getByRole('textbox', { name: 'Name' })).toHaveValue('title')
  })

  it('starts as JSON if the form cannot show it', async () => {
    renderSetting(SCHEMA, { type: 'array', items: { type: 'string' } })
    expect(screen.getByRole('tab', { name: 'JSON' })).toHaveAttribute('aria-selected', 'true')
    await person.click(screen.getByRole('tab', { name: 'Form' }))
    expect(screen.getByText('The form cannot show this value. Edit it as JSON.')).toBeInTheDocument()
  })

  it('follows a value that changes elsewhere, as by undo', async () => {
    const shown = renderSetting(SCHEMA, { type: 'object', properties: { a: { type: 'string' } } })
    await person.type(row('a').getByRole('textbox', { name: 'Name' }), 'b')
    shown.set({ type: 'object', properties: { a: { type: 'string' } } })
    expect(await screen.findByDisplayValue('a')).toBeInTheDocument()
  })

  it('cannot be changed by a visitor', () => {
    renderSetting(SCHEMA, { type: 'object', properties: { a: { type: 'string' } } }, { disabled: true })
    expect(row('a').getByRole('textbox', { name: 'Name' })).toBeDisabled()
    expect(screen.queryByRole('button', { name: /Add|Remove/ })).toBeNull()
  })
})

const VALUES: Schema = {
  anyOf: [{ type: 'object' }, { type: 'null' }],
  default: null,
  'x-ui': { widget: 'key_value', options: true },
}

describe('the settings of a model', () => {
  const known = (schemas: Record<string, Schema | null>) =>
    backend.use(
      http.get('*/api/v1/nodes/draw/options/it', ({ request }) => {
        const model = new URL(request.url).searchParams.get('q')
        const items = Object.entries(schemas).map(([value, value_schema]) => ({
          ...{ value, label: `${value} of ${model}`, group: null, detail: null, value_schema },
        }))
        return HttpResponse.json({ items, next_cursor: null })
      }),
    )

  it('are rows of a name and a value of any type', async () => {
    known({ guidance: null })
    const shown = renderSetting(VALUES)
    await person.click(button('Add a value'))
    await person.clear(row('name').getByLabelText('Name'))
    await person.type(row('name').getByLabelText('Name'), 'guidance')
    await person.type(screen.getByRole('textbox', { name: 'Value of guidance' }), '7')
    expect(last(shown)).toEqual({ guidance: '7' })
    await choose(row('guidance').getByRole('combobox', { name: 'Type' }), 'Number')
    expect(last(shown)).toEqual({ guidance: 7 })
    await choose(row('guidance').getByRole('combobox', { name: 'Type' }), 'Yes or no')
    await person.click(screen.getByRole('switch', { name: 'Value of guidance' }))
    expect(last(shown)).toEqual({ guidance: false })
    await person.click(button('Remove the value guidance'))
    expect(last(shown)).toBeUndefined()
  })

  it('offer the names that the node’s model has', async () => {
    known({ guidance: null, steps: null })
    renderSetting(VALUES, { steps: 20 })
    const name = await screen.findByRole('combobox', { name: 'Name' })
    const names = document.getElementById(name.getAttribute('list') ?? '')
    expect([...(names?.children ?? [])].map((option) => option.textContent)).toEqual([
      'guidance of flux',
      'steps of flux',
    ])
  })

  it('have the control of their own type', async () => {
    known({
      background: { type: 'string', enum: ['auto', 'opaque'], description: 'Behind the subject.' },
      steps: { type: 'integer', minimum: 1, maximum: 50 },
    })
    const shown = renderSetting(VALUES, { background: 'opaque' })
    await person.click(await screen.findByRole('radio', { name: 'Automatic' }))
    expect(last(shown)).toEqual({ background: 'auto' })
    expect(screen.getByText('Behind the subject.')).toBeInTheDocument()
    expect(screen.queryByRole('combobox', { name: 'Type' })).not.toBeInTheDocument()

    await person.click(button('Add a value'))
    await person.clear(row('name').getByLabelText('Name'))
    await person.type(row('name').getByLabelText('Name'), 'steps')
    expect(last(shown)).toEqual({ background: 'auto', steps: 1 })
    expect(screen.getByRole('slider', { name: 'Value of steps' })).toHaveValue(1)
  })

  it('keep a value of another type and say what the model takes', async () => {
    known({ steps: { type: 'integer' } })
    const shown = renderSetting(VALUES, { steps: 'many' })
    expect(await screen.findByText('Enter a number.')).toBeInTheDocument()
    expect(screen.getByRole('textbox', { name: 'Value of steps' })).toHaveValue('many')
    expect(shown.onChange).not.toHaveBeenCalled()
  })

  it('keep lists and groups, which are edited as JSON', async () => {
    known({})
    const shown = renderSetting(VALUES, { sizes: [1, 2] })
    expect(screen.getByRole('textbox', { name: 'Value of sizes' })).toHaveValue('[\n  1,\n  2\n]')
    await person.click(screen.getByRole('tab', { name: 'JSON' }))
    expect(screen.getByRole('textbox', { name: 'It' })).toHaveValue('{\n  "sizes": [\n    1,\n    2\n  ]\n}')
    expect(shown.onChange).not.toHaveBeenCalled()
  })
})
