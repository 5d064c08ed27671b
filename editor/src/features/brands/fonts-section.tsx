import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { Select } from '@/components/select'
import type { BrandContent } from '@/lib/api/brand-edits'
import { optionsQuery } from '@/lib/api/nodes'
import { Section } from './section'

type Font = NonNullable<BrandContent['fonts']>[number]
type FontsSectionProps = { fonts: readonly Font[]; onChange: (fonts: Font[]) => void; readOnly: boolean }

const NONE = ' '
const ROLES = ['headline', 'text'] as const

/** The font families for headlines and for text, of those that the server has. */
export function FontsSection({ fonts, onChange, readOnly }: FontsSectionProps) {
  const { t } = useTranslation('brands')
  const { data } = useQuery(optionsQuery('brand_system', 'fonts', ''))
  const names = new Set([
    ...(data?.items ?? []).map(({ value }) => String(value)),
    ...fonts.map((font) => font.family),
  ])
  const choices = [
    { value: NONE, label: t('fonts.none') },
    ...[...names].toSorted().map((value) => ({ value, label: value })),
  ]
  return (
    <Section title={t('fonts.title')}>
      <div className="grid gap-x-7 gap-y-4 sm:grid-cols-2">
        {ROLES.map((role) => {
          const family = fonts.find((font) => (font.role ?? 'headline') === role)?.family
          return (
            <Field key={role} label={t(`fonts.${role}`)}>
              <Select
                value={family ?? NONE}
                disabled={readOnly}
                choices={choices}
                onValueChange={(next) => {
                  const others = fonts.filter((font) => (font.role ?? 'headline') !== role)
                  onChange(next === NONE ? others : [...others, { family: next, role }])
                }}
              />
            </Field>
          )
        })}
      </div>
    </Section>
  )
}
