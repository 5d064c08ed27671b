// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import events from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Schema } from '@/graph/catalog'
import type { Case } from '@/graph/conditions'
import { type RenderedSetting, renderSetting } from '@/test/render-setting'

const person = events.setup({ delay: null })
const SCHEMA: Schema = {
  type: 'array',
  items: { type: 'object' },
  default: [],
  'x-ui': { widget: 'conditions' },
}

const last = (shown: RenderedSetting) => shown.onChange.mock.lastCall?.[0] as Case[]
const group = (name: string) => within(screen.getByRole('group', { name }))

async function choose(select: HTMLElement, option: string): Promise<void> {
  select.focus()
  await person.keyboard('{Enter}')
  await person.click(await screen.findByRole('option', { name: option }))
}

describe('the builder of conditions', () => {
  it('adds named cases with rules of several kinds', async () => {
    const shown = renderSetting(SCHEMA)
    await person.click(await screen.findByRole('button', { name: 'Add a case' }))
    const name = group('Case 1').getByRole('textbox', { name: 'Name of case 1' })
    expect(name).toHaveFocus()
    await person.clear(name)
    await person.type(name, 'On sale')
    const first = () => within(group('Case On sale').getByRole('group', { name: 'Rule 1' }))
    await person.type(first().getByRole('textbox', { name: 'Value' }), 'sale')
    await person.click(group('Case On sale').getByRole('button', { name: 'Add a rule' }))
    const second = () => within(group('Case On sale').getByRole('group', { name: 'Rule 2' }))
    await choose(second().getByRole('combobox', { name: 'What the rule compares' }), 'Brand check')
    await choose(second().getByRole('combobox', { name: 'Comparison' }), 'failed')
    await choose(second().getByRole('combobox', { name: 'Check' }), 'Tone')
    await person.click(screen.getByRole('radio', { name: 'Any rule' }))
    expect(last(shown)).toEqual([
      {
        port: 'case_1',
        name: 'On sale',
        join: 'or',
        rules: [
          { kind: 'text', test: 'contains', value: 'sale' },
          { kind: 'brand_check', test: 'failed', value: 'tone' },
        ],
      },
    ])
    expect(shown.onSettle).toHaveBeenCalled()
  })

  it('orders and removes cases, which keep their ports, and puts rules in brackets', async () => {
    const rules = [{ kind: 'text', test: 'is', value: 'x' }]
    const shown = renderSetting(SCHEMA, [
      { port: 'case_1', name: 'One', rules },
      { port: 'case_2', name: 'Two', rules },
    ])
    await person.click(await screen.findByRole('button', { name: 'Move the case Two up' }))
    expect(last(shown).map((one) => one.port)).toEqual(['case_2', 'case_1'])
    await person.click(group('Case One').getByRole('button', { name: 'Add a group' }))
    expect(last(shown)[1]?.groups).toEqual([
      { join: 'or', rules: [{ kind: 'text', test: 'contains', value: '' }] },
    ])
    expect(screen.getByRole('group', { name: 'Group 1' })).toHaveTextContent(/^and Group 1/)
    await person.click(screen.getByRole('button', { name: 'Remove the case Two' }))
    expect(last(shown)).toMatchObject([{ port: 'case_1', name: 'One' }])
    await person.click(screen.getByRole('button', { name: 'Remove the case One' }))
    expect(last(shown)).toBeUndefined()
    expect(screen.getByRole('button', { name: 'Add a case' })).toHaveFocus()
  })

  it('refuses a name that another case has', async () => {
    const shown = renderSetting(SCHEMA, [
      { port: 'case_1', name: 'One', rules: [] },
      { port: 'case_2', name: 'Two', rules: [] },
    ])
    const name = await screen.findByRole('textbox', { name: 'Name of case 2' })
    await person.clear(name)
    await person.type(name, 'One')
    expect(screen.getByRole('alert')).toHaveTextContent('Another row has this name.')
    expect(last(shown)[1]?.name).not.toBe('One')
  })

  it('shows as JSON what it cannot show as a form', async () => {
    renderSetting(SCHEMA, [{ name: 'One' }])
    expect(await screen.findByRole('tab', { name: 'JSON', selected: true })).toBeVisible()
  })
})
