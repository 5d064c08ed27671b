import { expect, test } from 'vitest'
import type { BrandFinding } from '@/lib/api/brand-imports'
import { logoFile, suggestedOf, toggled, withFindings } from './findings'

function finding(part: Partial<BrandFinding>): BrandFinding {
  return {
    field: 'color',
    value: '#18465c',
    role: null,
    name: '',
    found: 'site.css',
    suggested: true,
    font_file: null,
    ...part,
  }
}

const primary = finding({ role: 'primary' })
const other = finding({ value: '#ff00ff', role: 'other', suggested: false })
const heading = finding({ field: 'font', value: 'Lora', role: 'headline' })
const second = finding({ field: 'font', value: 'Inter', role: 'headline', suggested: false })

test('only suggested values are ticked, and only ticked values are taken', () => {
  const ticked = suggestedOf([primary, other, heading, second])
  expect([...ticked]).toEqual([primary, heading])
  const brand = withFindings({ name: 'Fjell' }, [...ticked], new Map())
  expect(brand.colors).toEqual([{ hex: '#18465c', role: 'primary', name: '' }])
  expect(brand.fonts).toEqual([{ family: 'Lora', role: 'headline' }])
  expect(JSON.stringify(brand)).not.toContain('Inter')
})

test('a brand has one name and one font of a role: ticking another unticks the first', () => {
  const ticked = toggled(suggestedOf([primary, heading]), second, true)
  expect([...ticked]).toEqual([primary, second])
  expect([...toggled(ticked, second, false)]).toEqual([primary])
})

test('colours replace those of the same role, lists are extended, the rest stays', () => {
  const brand = {
    name: 'Fjell',
    legal_line: 'Fjell AS',
    colors: [
      { hex: '#000000', role: 'primary' as const, name: 'Ink' },
      { hex: '#e9e4d8', role: 'background' as const, name: '' },
    ],
    voice: { languages: ['Norwegian'], tone: ['Calm'] },
  }
  const german = finding({ field: 'languages', value: 'German' })
  const next = withFindings(brand, [primary, german], new Map())
  expect(next.colors?.map(({ hex }) => hex)).toEqual(['#18465c', '#e9e4d8'])
  expect(next.voice).toEqual({ languages: ['Norwegian', 'German'], tone: ['Calm'] })
  expect(next.legal_line).toBe('Fjell AS')
})

test('a logo is set for its ground, under the id of the uploaded asset', () => {
  const logo = finding({ field: 'logo', value: 'data:image/png;base64,iVBORw==', role: 'dark' })
  const next = withFindings({ name: 'Fjell', logo: { light: 'kept' } }, [logo], new Map([[logo, 'uploaded']]))
  expect(next.logo).toEqual({ light: 'kept', dark: 'uploaded' })
  const file = logoFile(logo.value, 'Fjell')
  expect([file.name, file.type, file.size]).toEqual(['Fjell.png', 'image/png', 4])
})

test('font files of an exported brand are added to those of the brand', () => {
  const file = { asset_id: 'a', family: 'Fjell Sans', weight: 700, italic: false }
  const own = { asset_id: 'b', family: 'Other', weight: 400, italic: false }
  const ticked = suggestedOf([finding({ field: 'font_file', value: 'Fjell Sans', font_file: file })])
  const brand = withFindings({ name: 'Fjell', font_files: [own] }, [...ticked], new Map())
  expect(brand.font_files).toEqual([own, file])
})
