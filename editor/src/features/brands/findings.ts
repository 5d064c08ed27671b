/** What an import found: which values exclude each other, and the brand that the approved ones make. */

import type { BrandContent } from '@/lib/api/brand-edits'
import type { BrandFinding } from '@/lib/api/brand-imports'

type Color = NonNullable<BrandContent['colors']>[number]
type Font = NonNullable<BrandContent['fonts']>[number]
type FontFile = NonNullable<BrandContent['font_files']>[number]
type Lists = 'tone' | 'dos' | 'donts' | 'banned_words' | 'sample_lines' | 'languages'

const MAX_COLORS = 24
const MAX_FONT_FILES = 12
const SINGLE = ['name', 'description', 'legal_line'] as const

/** The findings that are ticked at first. */
export function suggestedOf(findings: readonly BrandFinding[]): Set<BrandFinding> {
  return findings
    .filter(({ suggested }) => suggested)
    .reduce((ticked, finding) => toggled(ticked, finding, true), new Set<BrandFinding>())
}

/** Ticks or unticks a finding; a brand has one of some values, so ticking one of these unticks the other. */
export function toggled(
  ticked: ReadonlySet<BrandFinding>,
  finding: BrandFinding,
  checked: boolean,
): Set<BrandFinding> {
  const next = new Set([...ticked].filter((other) => !(checked && excludes(finding, other))))
  if (checked) next.add(finding)
  else next.delete(finding)
  return next
}

function excludes(one: BrandFinding, other: BrandFinding): boolean {
  if (one.field !== other.field) return false
  if (one.field === 'font_file') return false
  if (one.field === 'font' || one.field === 'logo') return one.role === other.role
  return SINGLE.some((field) => field === one.field)
}

/**
 * The brand with the approved values. Colors and fonts replace those of the same role, lists are extended.
 * `logos` are the ids of the uploaded assets of approved logos.
 */
export function withFindings(
  brand: BrandContent,
  approved: readonly BrandFinding[],
  logos: ReadonlyMap<BrandFinding, string>,
): BrandContent {
  const of = (field: BrandFinding['field']) => approved.filter((finding) => finding.field === field)
  const next: BrandContent = { ...brand }
  for (const field of SINGLE) {
    const [found] = of(field)
    if (found) next[field] = found.value
  }
  next.colors = withColors(brand.colors ?? [], of('color'))
  next.fonts = withFonts(brand.fonts ?? [], of('font'))
  next.font_files = withFontFiles(brand.font_files, of('font_file'))
  const voice = { ...brand.voice }
  for (const field of ['tone', 'dos', 'donts', 'banned_words', 'sample_lines', 'languages'] as Lists[]) {
    const values = of(field).map(({ value }) => value)
    if (values.length > 0) voice[field] = [...new Set([...(voice[field] ?? []), ...values])]
  }
  next.voice = voice
  for (const finding of of('logo')) {
    const id = logos.get(finding)
    if (id) next.logo = { ...next.logo, [finding.role === 'dark' ? 'dark' : 'light']: id }
  }
  return next
}

function withColors(colors: readonly Color[], found: readonly BrandFinding[]): Color[] {
  const added = found.map(
    ({ value, role, name }): Color => ({ hex: value, role: role as Color['role'], name }),
  )
  const taken = (color: Color) =>
    added.some(({ hex, role }) => hex === color.hex || (role !== 'other' && role === (color.role ?? 'other')))
  return [...added, ...colors.filter((color) => !taken(color))].slice(0, MAX_COLORS)
}

function withFonts(fonts: readonly Font[], found: readonly BrandFinding[]): Font[] {
  const added = found.map(({ value, role }): Font => ({ family: value, role: role as Font['role'] }))
  const roles = new Set(added.map(({ role }) => role))
  return [...added, ...fonts.filter(({ role }) => !roles.has(role ?? 'headline'))]
}

function withFontFiles(files: readonly FontFile[] = [], found: readonly BrandFinding[]): FontFile[] {
  return [...files, ...found.flatMap(({ font_file }) => font_file ?? [])].slice(0, MAX_FONT_FILES)
}

/** The file of a logo, from its data URL. */
export function logoFile(dataUrl: string, name: string): File {
  const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (letter) =>
    letter.charCodeAt(0),
  )
  return new File([bytes], `${name}.png`, { type: 'image/png' })
}
