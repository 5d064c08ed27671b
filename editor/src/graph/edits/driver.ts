import { INPUT_LIMITS } from '@/lib/input-limits'
import type { NodeType, Schema } from '../catalog'
import type { FlowNode, Settings } from '../document'
import { settingValue, withoutNull } from '../ports'
import { choicesOf } from '../widgets'

/**
 * The settings of a new input node that drives a setting of `node`: the value that the setting has now, so that
 * results stay the same, and the choices or limits that it allows, where the input can have them.
 */
export function driverSettings(driver: NodeType, node: FlowNode, type: NodeType, setting: string): Settings {
  const declared = type.settings.properties?.[setting]
  if (!declared || driver.input === null) return {}
  const schema = withoutNull(declared)
  const own = driver.settings.properties ?? {}
  const value = settingValue(node, type, setting)
  const found: [string, unknown][] = [
    [driver.input, value],
    [INPUT_LIMITS.choices, choicesOf(schema)],
    [INPUT_LIMITS.minimum, schema.minimum],
    [INPUT_LIMITS.maximum, schema.maximum],
  ]
  return Object.fromEntries(found.filter(([name, one]) => isHeldBy(own[name], one)))
}

/** Whether a setting can have the value, which says something. */
function isHeldBy(declared: Schema | undefined, value: unknown): boolean {
  if (!declared) return false
  const schema = withoutNull(declared)
  if (Array.isArray(value))
    return value.length > 0 && schema.type === 'array' && value.every((item) => isHeldBy(schema.items, item))
  if (schema.type === 'integer') return Number.isInteger(value)
  return value !== '' && schema.type === typeof value
}
