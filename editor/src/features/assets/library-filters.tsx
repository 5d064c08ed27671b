import { useQuery } from '@tanstack/react-query'
import { Layers, Star } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { AgentCombobox } from '@/components/agent/agent-combobox'
import { Button } from '@/components/button'
import { Combobox } from '@/components/combobox'
import { Input } from '@/components/input'
import { Segmented } from '@/components/segmented'
import { Select } from '@/components/select'
import { tagsQuery } from '@/lib/api/asset-labels'
import type { AssetKind, LibraryFilters as Filters } from '@/lib/api/assets'
import { collectionsQuery } from '@/lib/api/collections'
import { usePendingDeletions } from '@/lib/with-undo'

type LibraryFiltersProps = {
  value: Filters
  onChange: (filters: Filters) => void
}

const ALL = 'all'
const KINDS = ['image', 'video', 'audio', 'text', 'file'] as const

/** Filters by type, favourite, collection, tag, agent, origin and date. */
export function LibraryFilters({ value, onChange }: LibraryFiltersProps) {
  const { t } = useTranslation('assets')
  const change = (part: Partial<Filters>) => onChange({ ...value, ...part })
  return (
    <div className="mt-5 flex flex-wrap items-center gap-2.5">
      <Segmented
        aria-label={t('kinds')}
        value={value.kind ?? ALL}
        onValueChange={(kind) => change({ kind: kind === ALL ? undefined : (kind as AssetKind) })}
        choices={[
          { value: ALL, label: t('all') },
          ...KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
        ]}
        className="max-sm:w-full sm:w-108"
      />
      <Button
        aria-pressed={value.favourite === true}
        onClick={() => change({ favourite: value.favourite ? undefined : true })}
        className={value.favourite ? 'border-ink' : 'font-medium'}
      >
        <Star aria-hidden className={value.favourite ? 'fill-ochre text-ochre' : ''} />
        {t('favourites')}
      </Button>
      <Button
        aria-pressed={value.intermediate === true}
        onClick={() => change({ intermediate: value.intermediate ? undefined : true })}
        className={value.intermediate ? 'border-ink' : 'font-medium'}
      >
        <Layers aria-hidden />
        {t('intermediates')}
      </Button>
      <CollectionFilter value={value.collection_id} onChange={(collection_id) => change({ collection_id })} />
      <TagFilter value={value.tag} onChange={(tag) => change({ tag })} />
      <AgentFilter value={value.flow_id} onChange={(flow_id) => change({ flow_id })} />
      <Select
        aria-label={t('source')}
        value={value.source ?? ALL}
        onValueChange={(source) => change({ source: source === ALL ? undefined : source })}
        choices={[
          { value: ALL, label: t('anySource') },
          { value: 'run', label: t('generated') },
          { value: 'upload', label: t('uploads') },
        ]}
        className="h-9 w-auto min-w-40"
      />
      <DayFilter label={t('since')} value={value.since} onChange={(since) => change({ since })} />
      <DayFilter label={t('until')} value={value.until} end onChange={(until) => change({ until })} />
    </div>
  )
}

type ChoiceFilterProps = { value: string | undefined; onChange: (id: string | undefined) => void }

const comboboxLook = 'h-9 w-auto min-w-36 max-w-52 max-sm:flex-1'

/** Shown once there is a collection. */
function CollectionFilter({ value, onChange }: ChoiceFilterProps) {
  const { t } = useTranslation('assets')
  const { data = [] } = useQuery(collectionsQuery)
  const going = usePendingDeletions()
  const collections = data.filter(({ id }) => !going.has(id))
  if (collections.length === 0 && !value) return null
  return (
    <Combobox
      aria-label={t('collection')}
      value={value ?? ''}
      choices={[
        { value: '', label: t('anyCollection') },
        ...collections.map(({ id, name, assets }) => ({ value: id, label: name, detail: String(assets) })),
      ]}
      placeholder={t('anyCollection')}
      onValueChange={(id) => onChange(id || undefined)}
      className={comboboxLook}
    />
  )
}

/** Shown once an asset has a tag. */
function TagFilter({ value, onChange }: ChoiceFilterProps) {
  const { t } = useTranslation('assets')
  const { data = [] } = useQuery(tagsQuery)
  if (data.length === 0 && !value) return null
  return (
    <Combobox
      aria-label={t('tag')}
      value={value ?? ''}
      choices={[
        { value: '', label: t('anyTag') },
        ...data.map(({ name, assets }) => ({ value: name, label: name, detail: String(assets) })),
      ]}
      placeholder={t('anyTag')}
      onValueChange={(tag) => onChange(tag || undefined)}
      className={comboboxLook}
    />
  )
}

function AgentFilter({ value, onChange }: ChoiceFilterProps) {
  const { t } = useTranslation('assets')
  return (
    <AgentCombobox
      aria-label={t('agent')}
      value={value ?? ''}
      any={t('anyAgent')}
      placeholder={t('anyAgent')}
      onValueChange={(id) => onChange(id || undefined)}
      className={comboboxLook}
    />
  )
}

type DayFilterProps = {
  label: string
  value: string | undefined
  /** The end of the date range is inclusive. */
  end?: boolean
  onChange: (time: string | undefined) => void
}

function DayFilter({ label, value, end, onChange }: DayFilterProps) {
  const id = useId()
  const day = value ? dayOf(value) : ''
  return (
    <span className="flex items-center gap-2 text-muted text-sm max-sm:w-full">
      <label htmlFor={id} className="max-sm:w-10">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        value={day}
        className="h-9 w-38 max-sm:flex-1"
        onChange={(event) => {
          const chosen = event.target.value
          onChange(
            chosen ? new Date(`${chosen}T${end ? '23:59:59.999' : '00:00:00'}`).toISOString() : undefined,
          )
        }}
      />
    </span>
  )
}

/** The local date of a time. */
function dayOf(time: string): string {
  const moment = new Date(time)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
