// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import events from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { ApiWorkflow } from '@/graph/api-workflow'
import type { Schema } from '@/graph/catalog'
import { renderSetting } from '@/test/render-setting'

const person = events.setup({ delay: null })
const SCHEMA: Schema = {
  anyOf: [{ type: 'object', properties: { nodes: { type: 'object' } } }, { type: 'null' }],
  default: null,
  'x-ui': { widget: 'api_workflow' },
}
const NODES = {
  '3': { class_type: 'KSampler', inputs: { seed: 7, cfg: 7.5, positive: ['6', 0] } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a can' }, _meta: { title: 'Prompt' } },
  '9': { class_type: 'SaveImage', inputs: { filename_prefix: 'x', images: ['3', 0] } },
}
const file = (content: unknown) => new File([JSON.stringify(content)], 'workflow_api.json')
const node = (name: string) => within(screen.getByRole('group', { name }))

describe('the chooser of a workflow', () => {
  it('reads an export, makes ports of ticked fields and types them', async () => {
    const shown = renderSetting(SCHEMA)
    await person.upload(await screen.findByLabelText('Exported workflow'), file(NODES))
    const last = () => shown.onChange.mock.lastCall?.[0] as ApiWorkflow
    const sampler = await screen.findByRole('group', { name: 'KSampler, node 3' })
    expect(last()).toEqual({
      nodes: NODES,
      inputs: [],
      outputs: [{ port: 'images_1', name: 'SaveImage', node: '9' }],
    })
    within(sampler).getByRole('checkbox', { name: 'seed' }).focus()
    await person.keyboard(' ')
    await person.click(node('Prompt, node 6').getByRole('checkbox', { name: 'text' }))
    const name = node('Prompt, node 6').getByRole('textbox', { name: 'Name of text' })
    await person.clear(name)
    await person.type(name, 'Scene')
    expect(last().inputs).toEqual([
      { port: 'integer_1', name: 'Seed', node: '3', field: 'seed' },
      { port: 'text_1', name: 'Scene', node: '6', field: 'text' },
    ])
    expect(shown.onSettle).toHaveBeenCalled()
    await person.click(node('KSampler, node 3').getByRole('checkbox', { name: 'seed' }))
    expect(last().inputs.map((one) => one.port)).toEqual(['text_1'])
  })

  it('says what is wrong with a file that is no API export', async () => {
    const shown = renderSetting(SCHEMA)
    await person.upload(await screen.findByLabelText('Exported workflow'), file({ nodes: [], links: [] }))
    expect(await screen.findByRole('alert')).toHaveTextContent('This is not an API export.')
    expect(shown.onChange).not.toHaveBeenCalled()
  })

  it('keeps the inputs that another export still has', async () => {
    const shown = renderSetting(SCHEMA, {
      nodes: NODES,
      inputs: [
        { port: 'text_1', name: 'Scene', node: '6', field: 'text' },
        { port: 'number_1', name: 'Cfg', node: '3', field: 'cfg' },
      ],
      outputs: [{ port: 'images_1', name: 'Image', node: '9' }],
    })
    const next = { ...NODES, '3': { class_type: 'KSampler', inputs: { positive: ['6', 0] } } }
    await person.upload(await screen.findByLabelText('Exported workflow'), file(next))
    expect(await screen.findByRole('checkbox', { name: 'text' })).toBeChecked()
    expect(shown.onChange.mock.lastCall?.[0]).toMatchObject({
      inputs: [{ port: 'text_1' }],
      outputs: [{ name: 'Image' }],
    })
  })
})
