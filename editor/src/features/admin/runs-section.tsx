import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Chip } from '@/components/chip'
import { Combobox } from '@/components/combobox'
import {
  type AdminFilters,
  adminAgentsQuery,
  adminRunsQuery,
  cancelAnyRun,
  peopleQuery,
  personQuery,
} from '@/lib/api/admin'
import { classes } from '@/lib/classes'
import { ago, dollars } from '@/lib/format'
import { toastError } from '@/lib/toasts'
import { FilterRow, StatusFilter, statusOf, useFilters } from './filters'
import { Pages } from './list'

const ANY = 'any'
const STATUSES = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const
const tones = {
  queued: 'ochre',
  running: 'cobalt',
  finished: 'viridian',
  failed: 'madder',
  cancelled: 'faint',
} as const

/** The runs of all users, by status, user and agent. */
export function RunsSection() {
  const { t } = useTranslation('admin')
  const { filters, change } = useFilters()
  const { user_id, flow_id } = filters
  const query = useInfiniteQuery(adminRunsQuery({ status: statusOf(filters, STATUSES), user_id, flow_id }))
  const [first] = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <FilterRow>
        <StatusFilter
          label={t('status')}
          any={t('anyStatus')}
          statuses={STATUSES}
          labelOf={(status) => t(`run.${status}`)}
        />
        <UserFilter id={user_id} onChange={(id) => change({ user_id: id })} />
        <AgentFilter id={flow_id} name={first?.flow_name} onChange={(id) => change({ flow_id: id })} />
        {(user_id || flow_id) && (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => change({ user_id: undefined, flow_id: undefined, status: undefined })}
          >
            {t('clearFilters')}
          </Button>
        )}
      </FilterRow>
      <Pages
        query={query}
        label={t('runs')}
        empty={t('run.none')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('run.agent'),
            cell: ({ flow_id: id, flow_name, number }) => (
              <FilterLink search={id ? { ...filters, flow_id: id } : undefined} className="font-semibold">
                {t('run.title', { name: flow_name, number })}
              </FilterLink>
            ),
          },
          {
            title: t('owner'),
            cell: ({ owner }) => (
              <FilterLink search={{ ...filters, user_id: owner.id }}>
                {owner.username ?? t('deletedUser')}
              </FilterLink>
            ),
          },
          {
            title: t('status'),
            cell: (run) => (
              <Chip dot tone={tones[run.status]}>
                {t(`run.${run.status}`)}
              </Chip>
            ),
          },
          { title: t('created'), cell: ({ created_at }) => ago(created_at) },
          {
            title: t('cost'),
            cell: ({ cost_usd }) => <span className="font-mono">{dollars(cost_usd)}</span>,
          },
          {
            title: t('actions'),
            end: true,
            cell: (run) =>
              run.can_cancel && (
                <Button
                  size="sm"
                  aria-label={t('run.cancelOf', { number: run.number, name: run.flow_name })}
                  onClick={() =>
                    void cancelAnyRun(run.id).catch((error: unknown) => toastError(t('run.cancel'), error))
                  }
                >
                  {t('run.cancel')}
                </Button>
              ),
          },
        ]}
      />
    </>
  )
}

type FilterLinkProps = { search: AdminFilters | undefined; className?: string; children: ReactNode }

/** Shows only the runs of what it names. */
function FilterLink({ search, className, children }: FilterLinkProps) {
  if (!search) return <span className={className}>{children}</span>
  return (
    <Link
      to="/admin/$section"
      params={{ section: 'runs' }}
      search={search}
      className={classes('hover:underline', className)}
    >
      {children}
    </Link>
  )
}

type UserFilterProps = { id: string | undefined; onChange: (id: string | undefined) => void }

function UserFilter({ id, onChange }: UserFilterProps) {
  const { t } = useTranslation('admin')
  const [search, setSearch] = useState('')
  const found = useInfiniteQuery(peopleQuery(useDeferredValue(search).trim(), undefined))
  const { data: chosen, isError } = useQuery({ ...personQuery(id ?? ''), enabled: id !== undefined })
  const people = found.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <PickFilter
      label={t('run.user')}
      any={t('run.anyUser')}
      id={id}
      name={chosen?.username ?? (isError ? t('run.unknownUser') : t('loading', { ns: 'common' }))}
      choices={people.map((person) => ({
        value: person.id,
        label: person.username,
        detail: person.email ?? undefined,
      }))}
      loading={found.isFetching}
      onSearch={setSearch}
      onChange={onChange}
    />
  )
}

type AgentFilterProps = UserFilterProps & {
  /** The name of the chosen agent, if one of its runs is shown. */
  name: string | undefined
}

/** Offers public agents; a private agent is chosen by its name in the list. */
function AgentFilter({ id, name, onChange }: AgentFilterProps) {
  const { t } = useTranslation('admin')
  const [search, setSearch] = useState('')
  const found = useInfiniteQuery(adminAgentsQuery(useDeferredValue(search).trim(), undefined))
  const agents = found.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <PickFilter
      label={t('run.agent')}
      any={t('run.anyAgent')}
      id={id}
      name={name ?? t('run.unknownAgent')}
      choices={agents.map((agent) => ({
        value: agent.id,
        label: agent.name,
        detail: agent.owner?.username ?? undefined,
      }))}
      loading={found.isFetching}
      onSearch={setSearch}
      onChange={onChange}
    />
  )
}

type PickFilterProps = {
  label: string
  /** The choice of no filter. */
  any: string
  id: string | undefined
  /** The name of what is chosen, if it is not among the choices. */
  name: string
  choices: ComponentProps<typeof Combobox>['choices']
  loading: boolean
  onSearch: (text: string) => void
  onChange: (id: string | undefined) => void
}

function PickFilter({ label, any, id, name, choices, loading, onSearch, onChange }: PickFilterProps) {
  const known = id === undefined || choices.some(({ value }) => value === id)
  return (
    <Combobox
      aria-label={label}
      className="h-9 w-auto min-w-40 max-sm:w-full sm:max-w-60"
      value={id ?? ANY}
      choices={[{ value: ANY, label: any }, ...(known ? [] : [{ value: id, label: name }]), ...choices]}
      searchPlaceholder={label}
      loading={loading}
      onSearch={onSearch}
      onValueChange={(value) => onChange(value === ANY ? undefined : value)}
    />
  )
}
