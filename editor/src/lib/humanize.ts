import { terms } from './i18n/en/terms'

const values: Readonly<Record<string, string>> = terms.values
const types: Readonly<Record<string, readonly [one: string, list: string]>> = terms.types
const mediaTypes: Readonly<Record<string, string>> = terms.mediaTypes

const IDENTIFIER = /^[a-z0-9]+(_[a-z0-9]+)+$/

/**
 * A raw value as people read it: `auto` is "Automatic", `social_post` "Social post", true "Yes". Text that is not an
 * identifier stays as it is, because it may be the user's own.
 */
export function humanize(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? terms.yes : terms.no
  const text = String(value)
  if (Object.hasOwn(values, text)) return values[text] as string
  return IDENTIFIER.test(text) ? capitalize(text.replaceAll('_', ' ')) : text
}

/** The label of a choice that a node's author declared: humanized and in sentence case. `9:16` and `PNG` stay. */
export function choiceLabel(value: unknown): string {
  return capitalize(humanize(value))
}

/** A value type: "Image", or "Images" for a list. A plugin's `acme.BookChapter` is "Book chapter". */
export function typeLabel(type: string, list = false): string {
  const known = Object.hasOwn(types, type) ? types[type] : undefined
  if (known) return known[list ? 1 : 0]
  const name = (type.split('.').at(-1) ?? type).replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return capitalize(list ? `${name} list` : name)
}

/** A model as people call it: without the owner in front, as in `black-forest-labs/flux-1.1-pro`. */
export function modelLabel(model: string): string {
  return model.split('/').at(-1) || model
}

/** A media type by its format: "PNG" for `image/png`. */
export function formatLabel(mediaType: string): string {
  const [essence = ''] = mediaType.split(';')
  return mediaTypes[essence] ?? (essence.split('/').at(-1) ?? essence).replace(/^x-/, '').toUpperCase()
}

/** "1 item", "3 items". */
export function countItems(count: number): string {
  return `${count} ${count === 1 ? terms.item : terms.items}`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
