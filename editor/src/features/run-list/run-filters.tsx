import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AgentCombobox } from '@/components/agent/agent-combobox'
import { SearchField } from '@/components/search-field'
import { Segmented } from '@/components/segmented'
import { Select } from '@/components/select'
import { brandsQuery } from '@/lib/api/brands'
import { useTypedText } from '@/lib/use-typed-text'
import type { PageFilters } from './use-run-list'

type RunFiltersProps = { value: PageFilters; onChange: (filters: PageFilters) => void }

const ALL = 'all'
const STATUSES = ['running', 'finished', 'failed', 'cancelled'] as const
const PERIODS = [1, 7, 30] as const

/** Filters by status, agent, brand, time and text. */
export function RunFilters({ value, onChange }: RunFiltersProps) {
  const { t } = useTranslation('runList')
  const change = (part: PageFilters) => onChange({ ...value, ...part })
  const [text, setText] = useTypedText(value.q ?? '', (q) => change({ q: q || undefined }))
  const { data: brands = [] } = useQuery(brandsQuery)
  return (
    <div className="mt-5 flex flex-wrap items-center gap-2.5">
      <Segmented
        aria-label={t('status.label')}
        value={value.status ?? ALL}
        onValueChange={(status) => change({ status: status === ALL ? undefined : status })}
        choices={[
          { value: ALL, label: t('status.all') },
          ...STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
        ]}
        className="max-sm:w-full sm:w-96"
      />
      <AgentCombobox
        aria-label={t('agent')}
        value={value.flow_id ?? ''}
        any={t('anyAgent')}
        placeholder={t('anyAgent')}
        onValueChange={(id) => change({ flow_id: id || undefined })}
        className="h-9 w-auto min-w-36 max-w-52 max-sm:flex-1"
      />
      <Select
        aria-label={t('brand')}
        value={value.brand_id ?? ALL}
        onValueChange={(id) => change({ brand_id: id === ALL ? undefined : id })}
        choices={[
          { value: ALL, label: t('anyBrand') },
          ...brands.map(({ id, content }) => ({ value: id, label: content.name })),
        ]}
        disabled={brands.length === 0}
        className="h-9 w-auto min-w-34 max-w-52 max-sm:flex-1"
      />
      <Select
        aria-label={t('period')}
        value={String(value.days ?? ALL)}
        onValueChange={(days) => change({ days: PERIODS.find((each) => String(each) === days) })}
        choices={[
          { value: ALL, label: t('anyTime') },
          ...PERIODS.map((days) => ({ value: String(days), label: t(`days.${days}`) })),
        ]}
        className="h-9 w-auto min-w-34 max-sm:flex-1"
      />
      <SearchField
        value={text}
        onChange={setText}
        label={t('search')}
        placeholder={t('search')}
        className="ml-auto w-full sm:w-65"
      />
    </div>
  )
}
