import { RadioGroup } from 'radix-ui'
import { useTranslation } from 'react-i18next'
import { CATEGORIES, type Category } from '@/lib/agents/search'

const pill =
  'inline-flex h-7.5 flex-none items-center rounded-pill border border-hairline px-3 font-medium text-muted text-xs transition-colors hover:border-hairline-strong hover:text-ink data-[state=checked]:border-ink data-[state=checked]:bg-ink data-[state=checked]:text-paper'

type CategoryFilterProps = { value: Category | null; onChange: (category: Category | null) => void }

export function CategoryFilter({ value, onChange }: CategoryFilterProps) {
  const { t } = useTranslation(['agents', 'common'])
  return (
    <RadioGroup.Root
      value={value ?? 'all'}
      onValueChange={(next) => onChange(next === 'all' ? null : (next as Category))}
      aria-label={t('agents:categories')}
      orientation="horizontal"
      className="-mx-4 mt-4.5 flex gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
    >
      <RadioGroup.Item value="all" className={pill}>
        {t('agents:allCategories')}
      </RadioGroup.Item>
      {CATEGORIES.map((category) => (
        <RadioGroup.Item key={category} value={category} className={pill}>
          {t(`common:category.${category}`)}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
