/** What the user has set for each agent under Customize: stored on the server, so that other browsers have it, too. */

import { useQuery } from '@tanstack/react-query'
import { customizationQuery, resetCustomization, updateCustomization } from '../api/customizations'
import { i18n } from '../i18n'
import { toastError } from '../toasts'
import { brandField } from './brands'
import { type Field, isAllowed, promptField } from './fields'
import { type Inputs, isOwnValue } from './inputs'
import { isMaskField } from './masked-image'

const NOTHING: Inputs = {}

/** The stored values of an agent; empty while they load, and if they cannot be loaded. */
export function useCustomization(flowId: string): { values: Inputs; isPending: boolean } {
  const { data, isLoading } = useQuery({ ...customizationQuery(flowId), enabled: flowId !== '' })
  return { values: data?.values ?? NOTHING, isPending: isLoading }
}

/** The stored values that the agent still accepts: its builder may have changed the limits since. */
export function acceptedValues(fields: readonly Field[], values: Inputs): Inputs {
  const accepted = fields.filter(
    (field) => field.id in values && !isMaskField(field) && isAllowed(field, values[field.id]),
  )
  return Object.fromEntries(accepted.map(({ id }) => [id, values[id]]))
}

/** Everything but prompt, media and masks, which are new in each launch, and the brand, which is stored when it is chosen. */
function isStored(field: Field, fields: readonly Field[]): boolean {
  if (isMaskField(field)) return false
  return field.kind !== 'media' && field.id !== promptField(fields)?.id && field.id !== brandField(fields)?.id
}

/** Stores the inputs of a launch. */
export function saveInputs(flowId: string, fields: readonly Field[], inputs: Inputs): void {
  const stored = fields.filter((field) => isStored(field, fields))
  if (stored.length === 0) return
  save(flowId, Object.fromEntries(stored.map((field) => [field.id, storedValue(field, inputs[field.id])])))
}

/** Stores one input as soon as it is set. */
export function saveInput(flowId: string, field: Field, value: unknown): void {
  save(flowId, { [field.id]: storedValue(field, value) })
}

function storedValue(field: Field, value: unknown): unknown {
  return value === undefined || isOwnValue(field, value) ? null : value
}

/** The agent's own values apply again. */
export function forgetInputs(flowId: string): void {
  resetCustomization(flowId, onFailed)
}

function save(flowId: string, changed: Inputs): void {
  updateCustomization(flowId, changed, onFailed)
}

function onFailed(error: unknown): void {
  toastError(i18n.t('launch:notStored'), error)
}
