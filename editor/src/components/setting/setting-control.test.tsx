// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import events from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Schema } from '@/graph/catalog'
import { queryClient } from '@/lib/query-client'
import { renderSetting } from '@/test/render-setting'

const person = events.setup({ delay: null })

const imageSchema: Schema = {
  anyOf: [{ title: 'Image', type: 'object', properties: { asset_id: { type: 'string' } } }, { type: 'null' }],
  default: null,
}

const brand: Schema = {
  anyOf: [
    {
      title: 'Brand',
      type: 'object',
      properties: {
        brand_name: { type: 'string', default: '' },
        description: { type: 'string', default: '', 'x-ui': { widget: 'long_text' } },
        palette: { type: 'array', items: { type: 'string' }, default: [], 'x-ui': { widget: 'colour' } },
        logo: imageSchema,
        banned_words: { type: 'array', items: { type: 'string' }, default: [] },
      },
    },
    { type: 'null' },
  ],
  default: null,
  'x-ui': { widget: 'brand' },
}

describe('a nested form', () => {
  it('can be added, filled in and removed', async () => {
    const { onChange } = renderSetting(brand)
    await person.click(screen.getByRole('button', { name: 'Fill in' }))
    await person.type(screen.getByRole('textbox', { name: 'Brand name' }), 'Nor')
    expect(onChange).toHaveBeenLastCalledWith({ brand_name: 'Nor' })
    await person.click(screen.getByRole('button', { name: 'Add a colour' }))
    expect(onChange).toHaveBeenLastCalledWith({ brand_name: 'Nor', palette: ['#2f57e0'] })
    const words = screen.getByRole('group', { name: 'Banned words' })
    await person.click(within(words).getByRole('button', { name: 'Add' }))
    await person.keyboard('cheap')
    expect(onChange).toHaveBeenLastCalledWith(expect.objectContaining({ banned_words: ['cheap'] }))
    expect(screen.getByRole('group', { name: 'Logo' })).toBeInTheDocument()
    expect(screen.getByRole('textbox', { name: 'Description' }).tagName).toBe('TEXTAREA')
    await person.click(
      within(screen.getByRole('group', { name: 'It' })).getByRole('button', { name: 'Remove' }),
    )
    expect(onChange).toHaveBeenLastCalledWith(undefined)
    expect(screen.getByRole('button', { name: 'Fill in' })).toBeInTheDocument()
  })

  it('keeps unknown keys, and shows an error at its field', async () => {
    const schema: Schema = {
      type: 'object',
      properties: { minutes: { type: 'integer', maximum: 90 }, on: { type: 'boolean' } },
    }
    const { onChange } = renderSetting(schema, { $type: 'Stop', minutes: 120 })
    expect(screen.getByRole('spinbutton', { name: 'Minutes' })).toHaveAccessibleDescription('At most 90.')
    await person.click(screen.getByRole('switch', { name: 'On' }))
    expect(onChange).toHaveBeenLastCalledWith({ $type: 'Stop', minutes: 120, on: true })
  })

  it('is edited as JSON beyond the maximum depth', () => {
    const nest = (inner: Schema): Schema => ({ type: 'object', properties: { inner } })
    renderSetting(nest(nest(nest(nest({ type: 'string' })))), {})
    expect(screen.getAllByRole('group')).toHaveLength(3)
    expect(screen.getByRole('textbox', { name: 'Inner' })).toHaveAttribute('placeholder', '{ }')
  })
})

describe('the value of a data input', () => {
  const schema: Schema = {
    type: 'object',
    properties: { tone: { enum: ['dry', 'warm'] }, on: { type: 'boolean' }, name: { type: 'string' } },
    required: ['name'],
  }

  it('has its optional values cleared', async () => {
    const { onChange } = renderSetting(schema, { on: true, name: 'Cup' }, { typeId: 'data' })
    expect(screen.queryByRole('button', { name: 'Clear Name' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Clear Tone' })).toBeNull()
    await person.click(screen.getByRole('button', { name: 'Clear On' }))
    expect(onChange).toHaveBeenLastCalledWith({ name: 'Cup' })
  })

  it('can be read and written as JSON', async () => {
    const { onChange } = renderSetting(schema, { name: 'Cup' }, { typeId: 'data' })
    await person.click(screen.getByRole('tab', { name: 'JSON' }))
    const text = screen.getByRole('textbox', { name: 'It' })
    await person.clear(text)
    await person.click(text)
    await person.paste('{"name": "Jug", "on": false}')
    expect(onChange).toHaveBeenLastCalledWith({ name: 'Jug', on: false })
  })
})

describe('a list', () => {
  it('of forms shows their titles; items can be added and removed', async () => {
    const stop: Schema = {
      type: 'object',
      properties: { name: { type: 'string', minLength: 1 }, kind: { enum: ['sea', 'hill'], default: 'sea' } },
      required: ['name'],
    }
    const { onChange } = renderSetting({ type: 'array', items: stop, maxItems: 2 }, [{ name: 'Pier' }])
    expect(screen.getByText('Pier')).toBeInTheDocument()
    await person.click(screen.getByRole('button', { name: 'Add' }))
    const fresh = screen.getByRole('group', { name: 'It 2' })
    await person.type(within(fresh).getByRole('textbox', { name: 'Name' }), 'Top')
    await person.click(within(fresh).getByRole('radio', { name: 'Hill' }))
    expect(onChange).toHaveBeenLastCalledWith([{ name: 'Pier' }, { name: 'Top', kind: 'hill' }])
    await person.click(screen.getByRole('button', { name: 'Remove item 1' }))
    expect(onChange).toHaveBeenLastCalledWith([{ name: 'Top', kind: 'hill' }])
  })

  it('of choices, switches or lists uses their controls', async () => {
    const { onChange, unmount } = renderSetting({ type: 'array', items: { enum: ['a', 'b'] } }, ['a'])
    await person.click(screen.getByRole('radio', { name: 'B' }))
    expect(onChange).toHaveBeenLastCalledWith(['b'])
    unmount()
    const matrix = renderSetting({ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, [
      [1],
    ])
    await person.type(screen.getByRole('textbox', { name: 'It 1 1' }), '2')
    expect(matrix.onChange).toHaveBeenLastCalledWith([[12]])
  })

  it('offers the choices of the server, and accepts typed text', async () => {
    const failed = { id: 'type', title: 'Type House', state: 'failed', message: 'It took too long.' }
    const offered = { items: [{ value: 'Inter', label: 'Inter' }], sources: [failed] }
    queryClient.setQueryData(['nodes', 'draw', 'options', 'it', ''], offered)
    queryClient.setQueryData(['nodes', 'draw', 'options', 'it', 'Own'], { items: [], sources: [] })
    const schema: Schema = {
      type: 'array',
      items: { type: 'string' },
      'x-ui': { widget: 'list', options: true },
    }
    const { onChange } = renderSetting(schema, ['Sans'])
    await person.click(screen.getByRole('combobox', { name: 'It 1' }))
    expect(await screen.findByText('Could not reach Type House: It took too long.')).toBeVisible()
    await person.click(await screen.findByRole('option', { name: 'Inter' }))
    expect(onChange).toHaveBeenLastCalledWith(['Inter'])
    await person.click(screen.getByRole('combobox', { name: 'It 1' }))
    await person.keyboard('Own')
    await person.click(await screen.findByRole('option', { name: 'Use “Own”' }))
    expect(onChange).toHaveBeenLastCalledWith(['Own'])
  })

  it('offers in a nested form the choices of another setting, of this node or a named one', async () => {
    const offer = (type: string, setting: string, value: string) =>
      queryClient.setQueryData(['nodes', type, 'options', setting, ''], {
        items: [{ value, label: value }],
        sources: [],
      })
    offer('draw', 'voice', 'Rachel')
    offer('a.brand', 'fonts', 'Inter')
    const fonts: Schema = {
      type: 'array',
      items: { type: 'string' },
      'x-ui': { widget: 'list', options: 'a.brand.fonts' },
    }
    const voices: Schema = { type: 'array', items: { type: 'string', 'x-ui': { options: 'voice' } } }
    const { onChange } = renderSetting(
      { type: 'object', properties: { fonts, voices } },
      { fonts: ['Sans'], voices: ['Adam'] },
    )
    await person.click(screen.getByRole('combobox', { name: 'Fonts 1' }))
    await person.click(await screen.findByRole('option', { name: 'Inter' }))
    expect(onChange).toHaveBeenLastCalledWith({ fonts: ['Inter'], voices: ['Adam'] })
    await person.click(screen.getByRole('combobox', { name: 'Voices 1' }))
    await person.click(await screen.findByRole('option', { name: 'Rachel' }))
    expect(onChange).toHaveBeenLastCalledWith({ fonts: ['Inter'], voices: ['Rachel'] })
  })
})

describe('long lists of choices', () => {
  it('are searched, and only the first fifty rendered', async () => {
    const choices = Array.from({ length: 5000 }, (_, at) => `choice ${at}`)
    const { onChange } = renderSetting({ enum: choices }, 'choice 0')
    await person.click(screen.getByRole('combobox', { name: 'It' }))
    expect(document.querySelectorAll('[role=option]')).toHaveLength(50)
    await person.paste('4999')
    await person.click(await screen.findByRole('option', { name: 'Choice 4999' }))
    expect(onChange).toHaveBeenLastCalledWith('choice 4999')
  })
})

describe('unfinished text', () => {
  it('is restored when the control is shown again', async () => {
    const first = renderSetting(
      { type: 'object', default: {}, 'x-ui': { widget: 'json' } },
      { a: 1 },
      { place: 'node.it' },
    )
    await person.clear(screen.getByRole('textbox'))
    await person.type(screen.getByRole('textbox'), '{{"a": ')
    expect(screen.getByRole('alert')).toHaveTextContent('Not valid JSON.')
    first.unmount()
    renderSetting({ type: 'object', default: {}, 'x-ui': { widget: 'json' } }, { a: 1 }, { place: 'node.it' })
    expect(screen.getByRole('textbox')).toHaveValue('{"a": ')
    expect(screen.getByRole('alert')).toHaveTextContent('Not valid JSON.')
  })

  it('is replaced when the value has changed', async () => {
    const first = renderSetting(
      { type: 'object', default: {}, 'x-ui': { widget: 'json' } },
      { a: 1 },
      { place: 'node.other' },
    )
    await person.type(screen.getByRole('textbox'), ',')
    first.unmount()
    renderSetting(
      { type: 'object', default: {}, 'x-ui': { widget: 'json' } },
      { a: 2 },
      { place: 'node.other' },
    )
    expect(screen.getByRole('textbox')).toHaveValue('{\n  "a": 2\n}')
  })

  it('of a number may be empty while typing, and is reset on blur', async () => {
    const { onChange } = renderSetting({ type: 'number', default: 0 }, 5)
    const number = screen.getByRole('spinbutton', { name: 'It' })
    await person.clear(number)
    expect(number).toHaveValue(null)
    await person.tab()
    expect(number).toHaveValue(5)
    expect(onChange).not.toHaveBeenCalled()
    await person.clear(number)
    await person.type(number, '12')
    expect(onChange).toHaveBeenLastCalledWith(12)
  })

  it('of an optional number sets null', async () => {
    const { onChange } = renderSetting({ anyOf: [{ type: 'integer' }, { type: 'null' }], default: null }, 5)
    await person.clear(screen.getByRole('spinbutton', { name: 'It' }))
    expect(onChange).toHaveBeenLastCalledWith(undefined)
  })
})

describe('a color', () => {
  it('can be picked or typed, with a label for each', async () => {
    const { onChange } = renderSetting({ type: 'string', 'x-ui': { widget: 'colour' } }, '#d84')
    expect(screen.getByLabelText('Pick It')).toHaveValue('#dd8844')
    const text = screen.getByRole('textbox', { name: 'It' })
    await person.clear(text)
    await person.type(text, 'blue')
    expect(text).toHaveAccessibleDescription('Enter a colour such as #de4f2a.')
    expect(onChange).toHaveBeenLastCalledWith('blue')
  })
})

describe('a table', () => {
  const schema: Schema = { type: 'array', items: { type: 'object' }, 'x-ui': { widget: 'table' } }

  it('can be added, its columns renamed, its numbers kept as numbers', async () => {
    const { onChange } = renderSetting(schema, [])
    await person.click(screen.getByRole('button', { name: 'Add a row' }))
    const name = screen.getByRole('textbox', { name: 'Name of column 1' })
    await person.clear(name)
    await person.type(name, 'lens{Enter}')
    expect(onChange).toHaveBeenLastCalledWith([{ lens: '' }])
    await person.click(screen.getByRole('button', { name: 'Column' }))
    expect(onChange).toHaveBeenLastCalledWith([{ lens: '', 'Column 2': '' }])
  })

  it('keeps a number as a number while it is retyped', async () => {
    const { onChange } = renderSetting(schema, [{ lens: 35 }])
    const cell = screen.getByRole('textbox', { name: 'lens, row 1' })
    await person.clear(cell)
    await person.type(cell, '1.5')
    expect(onChange).toHaveBeenLastCalledWith([{ lens: 1.5 }])
  })

  it('refuses to rename a column to an existing name', async () => {
    const { onChange } = renderSetting(schema, [{ a: '1', b: '2' }])
    const name = screen.getByRole('textbox', { name: 'Name of column 2' })
    await person.clear(name)
    await person.type(name, 'a{Enter}')
    expect(name).toHaveValue('b')
    expect(onChange).not.toHaveBeenCalled()
  })

  it('accepts cells pasted from a spreadsheet, and adds rows and columns as needed', async () => {
    const { onChange } = renderSetting(schema, [{ a: '1' }])
    await person.click(screen.getByRole('textbox', { name: 'a, row 1' }))
    await person.paste('x\ty\r\nz\tw\r\n')
    expect(onChange).toHaveBeenLastCalledWith([
      { a: 'x', 'Column 2': 'y' },
      { a: 'z', 'Column 2': 'w' },
    ])
  })
})

it('refuses a file of another type with a message, and keeps the value', async () => {
  const { onChange } = renderSetting(imageSchema)
  const video = new File(['x'], 'clip.mp4', { type: 'video/mp4' })
  await events
    .setup({ delay: null, applyAccept: false })
    .upload(screen.getByLabelText('It', { selector: 'input' }), video)
  expect(screen.getByRole('alert')).toHaveTextContent('clip.mp4 is not a PNG, JPEG, WebP or GIF image.')
  expect(onChange).not.toHaveBeenCalled()
})
