/** Which brand a launch has: the user's choice, the agent's own brand, or the default brand. */

import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { type BrandSummary, brandsQuery } from '../api/brands'
import { localStore } from '../storage'
import type { Field } from './fields'

export type BrandValue = { $type: 'Brand'; saved?: string; brand_name?: string; palette?: readonly string[] }

/** The id of a brand, no brand, or the agent's own. */
export type BrandChoice = { kind: 'none' } | { kind: 'agent' } | { kind: 'saved'; id: string }

export type BrandOption = { id: string; name: string; colors: readonly string[]; isExample: boolean }

export const NO_BRAND: BrandValue = { $type: 'Brand' }
const MAX_SWATCHES = 4
const CHOICE_KEY = 'impasto.brand'

/** The last choice in any prompt bar, kept in this browser; null until there is one. */
export const useChosenBrand = create<{ choice: BrandChoice | null }>(() => ({
  choice: localStore.read<BrandChoice>(CHOICE_KEY),
}))

export function chooseBrand(choice: BrandChoice): void {
  localStore.write(CHOICE_KEY, choice)
  useChosenBrand.setState({ choice })
}

/** The published brands, which launches can use. */
export function useBrandOptions(enabled = true) {
  const { data, isPending, isError } = useQuery({ ...brandsQuery, enabled })
  const published = (data ?? []).filter(({ version }) => version !== null)
  return {
    options: published.map(optionOf),
    defaultId: published.find((brand) => brand.is_default)?.id ?? null,
    isPending: enabled && isPending && !isError,
    isError,
  }
}

export function optionOf({ id, content, example }: BrandSummary): BrandOption {
  return { id, name: content.name, colors: swatchesOf(content), isExample: example }
}

const ROLES = ['primary', 'background', 'support', 'accent', 'text', 'other'] as const

/** The first colors of a brand in the order of their roles. */
export function swatchesOf({ colors = [] }: Pick<BrandSummary['content'], 'colors'>): string[] {
  const rank = (role: (typeof ROLES)[number] | undefined) => ROLES.indexOf(role ?? 'other')
  const sorted = colors.toSorted((a, b) => rank(a.role) - rank(b.role))
  return sorted.slice(0, MAX_SWATCHES).map(({ hex }) => hex)
}

/** The field of the agent's brand that the prompt bar answers: the first. */
export function brandField(fields: readonly Field[]): Field | null {
  return fields.find(({ kind, list, exposed }) => kind === 'brand' && !list && !exposed) ?? null
}

/** The brand that the agent has by itself: a saved one, or values in the node's settings. */
export function agentBrand({ initial, schema }: Field): BrandValue | null {
  const own = { ...schema['x-settings'], ...(initial as object | null), $type: 'Brand' } as BrandValue
  return own.saved || own.brand_name || (own.palette?.length ?? 0) > 0 ? own : null
}

/** The value of the brand field for a choice; null lets the agent's own brand apply. */
export function brandValue(
  field: Field,
  choice: BrandChoice | null,
  known: { options: readonly BrandOption[]; defaultId: string | null; isPending: boolean },
): BrandValue | null {
  if (choice?.kind === 'none') return NO_BRAND
  const chosen = choice?.kind === 'saved' ? choice.id : null
  // While the list is loading, the brand of the last launch is taken to exist.
  if (chosen && (known.isPending || known.options.some(({ id }) => id === chosen))) return saved(chosen)
  if (agentBrand(field) !== null || known.defaultId === null) return null
  return saved(known.defaultId)
}

export function saved(id: string): BrandValue {
  return { $type: 'Brand', saved: id }
}

/** The choice that a value of the brand field stands for. */
export function choiceOf(value: BrandValue | null): BrandChoice {
  if (value === null) return { kind: 'agent' }
  const id = brandId(value)
  return id ? { kind: 'saved', id } : { kind: 'none' }
}

/** The id of the saved brand that a value refers to, without the version. */
export function brandId(value: BrandValue | null): string | null {
  return value?.saved?.split('@')[0] || null
}

/** Whether a value refers to a saved brand that the user does not have, as far as the brands are loaded. */
export function isGone(
  value: BrandValue | null,
  known: { options: readonly BrandOption[]; isPending: boolean; isError: boolean },
): boolean {
  const id = brandId(value)
  return (
    id !== null && !known.isPending && !known.isError && !known.options.some((option) => option.id === id)
  )
}

export function isNoBrand({ saved: reference, brand_name, palette }: BrandValue): boolean {
  return !reference && !brand_name && !palette?.length
}

export function isBrandValue(value: unknown): value is BrandValue {
  return typeof value === 'object' && value !== null && '$type' in value && value.$type === 'Brand'
}
