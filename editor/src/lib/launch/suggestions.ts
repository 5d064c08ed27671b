/** What a brief asks for, as settings of the launch that the user may confirm. */

import { humanize } from '../humanize'
import type { Notice } from './estimate'
import { type Field, isAllowed } from './fields'

export type Suggestion = { step: string; changes: { field: Field; value: unknown }[] }

/** The settings that would do as the brief asks, by step, as far as the agent lets launchers set them. */
export function suggestionsOf(notices: readonly Notice[], fields: readonly Field[]): Suggestion[] {
  const byId = new Map(fields.map((field) => [field.id, field]))
  const found = new Map<string, Suggestion>()
  for (const { step = '', settings = {} } of notices) {
    for (const [setting, value] of Object.entries(settings)) {
      const field = byId.get(`${step}.${setting}`)
      if (!field?.exposed || !isAllowed(field, value)) continue
      const known = found.get(step) ?? { step, changes: [] }
      found.set(step, { step, changes: [...known.changes, { field, value }] })
    }
  }
  return [...found.values()]
}

/**
 * Whether a notice need not be shown: a chip sets what it asks for, or its step works for another one that launchers
 * set, such as the frames of a video beside the images.
 */
export function isAnswered(
  { step = '', settings = {} }: Notice,
  suggestions: readonly Suggestion[],
  fields: readonly Field[],
): boolean {
  const changes = suggestions.find((one) => one.step === step)?.changes ?? []
  const isSet = (name: string) => changes.some(({ field }) => field.exposed?.setting === name)
  const isOffered = (name: string) => fields.some((field) => field.id === `${step}.${name}`)
  const isElsewhere = (name: string) => fields.some((field) => field.exposed?.setting === name)
  const names = Object.keys(settings)
  return names.length > 0 && names.every((name) => isSet(name) || (!isOffered(name) && isElsewhere(name)))
}

/** A value on a chip: "6 images", "1:1", else with the label of its field. */
export function chipText({ field, value }: Suggestion['changes'][number], images: (count: number) => string) {
  if (field.exposed?.setting === 'n_images' && typeof value === 'number') return images(value)
  return field.exposed?.setting === 'aspect_ratio' ? String(value) : `${field.title}: ${humanize(value)}`
}
