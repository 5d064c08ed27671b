import type { Schema } from './catalog'
import type { FlowNode } from './document'
import type { SettingField } from './setting-fields'

/** Whether a schema is an object whose fields a form can show by themselves. */
export function isFormShape(shape: unknown): boolean {
  if (typeof shape !== 'object' || shape === null) return false
  const { type, properties } = shape as Schema
  const isObject = type === 'object' && Object.keys(properties ?? {}).length > 0
  return isObject && !JSON.stringify(shape).includes('"$ref"')
}

/** The setting as it is edited: the value of data with fields has their form. */
export function withShape(node: FlowNode, field: SettingField): SettingField {
  const shape = node.settings.schema
  if (node.type !== 'data' || field.name !== 'value' || !isFormShape(shape)) return field
  const { title: _, description: __, default: ___, ...fields } = shape as Schema
  return { ...field, schema: fields }
}
