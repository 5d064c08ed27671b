import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Chip } from '@/components/chip'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { Skeleton } from '@/components/surfaces'
import {
  type Person,
  peopleQuery,
  personQuery,
  restoreUser,
  sendPasswordReset,
  setBetas,
  suspendUser,
} from '@/lib/api/admin'
import { useExclusive } from '@/lib/attempt'
import { ago, dollars, moment } from '@/lib/format'
import { toastError, toastSuccess } from '@/lib/toasts'
import { FilterRow, SearchFilter, StatusFilter, statusOf, useFilters } from './filters'
import { LimitsForm } from './limits-form'
import { Pages } from './list'
import { ReasonForm } from './reason-form'

const STATUSES = ['active', 'unconfirmed', 'suspended', 'admin'] as const
const tones = { active: 'viridian', unconfirmed: 'ochre', suspended: 'madder' } as const

export function PeopleSection() {
  const { t } = useTranslation('admin')
  const { filters } = useFilters()
  const [opened, setOpened] = useState<Person>()
  const query = useInfiniteQuery(peopleQuery(filters.q ?? '', statusOf(filters, STATUSES)))
  const total = query.data?.pages[0]?.total
  return (
    <>
      <FilterRow>
        <SearchFilter label={t('search.people')} />
        <StatusFilter
          label={t('status')}
          any={t('anyStatus')}
          statuses={STATUSES}
          labelOf={(status) => t(`person.${status}`)}
        />
      </FilterRow>
      <p role="status" className="text-muted text-xs">
        {total !== undefined && t('person.total', { count: total })}
      </p>
      <Pages
        query={query}
        label={t('people')}
        empty={t('person.none')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('name'),
            cell: (person) => (
              <>
                <p className="font-semibold">{person.username}</p>
                <p className="text-muted text-xs">{person.email}</p>
              </>
            ),
          },
          {
            title: t('status'),
            cell: (person) => (
              <span className="flex gap-1.5">
                <Chip dot tone={tones[person.status]}>
                  {t(`person.${person.status}`)}
                </Chip>
                {person.is_admin && <Chip tone="cobalt">{t('person.admin')}</Chip>}
              </span>
            ),
          },
          { title: t('created'), cell: (person) => ago(person.created_at) },
          {
            title: t('actions'),
            end: true,
            cell: (person) => (
              <Button
                size="sm"
                aria-label={t('person.manageOf', { name: person.username })}
                onClick={() => setOpened(person)}
              >
                {t('person.manage')}
              </Button>
            ),
          },
        ]}
      />
      {opened && <PersonDialog person={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function PersonDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const { data, isError } = useQuery(personQuery(person.id))
  const reset = () =>
    sendPasswordReset(person.id).then(
      () => toastSuccess(t('person.resetSent')),
      (error: unknown) => toastError(t('person.reset'), error),
    )
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={person.username}
      description={person.email}
      footer={
        <>
          {data?.has_password && <Button onClick={() => void reset()}>{t('person.reset')}</Button>}
          <Button variant="primary" onClick={onClose}>
            {t('done')}
          </Button>
        </>
      }
    >
      {isError && <p>{t('loadFailed')}</p>}
      {!data && !isError && <Skeleton className="h-60" />}
      {data && (
        <>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm [&_dt]:text-muted">
            <dt>{t('created')}</dt>
            <dd>{moment(data.created_at)}</dd>
            <dt>{t('person.lastSeen')}</dt>
            <dd>{data.last_seen_at ? ago(data.last_seen_at) : t('person.never')}</dd>
            <dt>{t('person.today')}</dt>
            <dd>{t('person.quota', { used: data.quota.used, limit: data.quota.limit })}</dd>
            <dt>{t('person.runs')}</dt>
            <dd>
              <Link
                to="/admin/$section"
                params={{ section: 'runs' }}
                search={{ user_id: data.id }}
                className="underline underline-offset-2"
              >
                {t('person.runCount', { count: data.runs, cost: dollars(data.cost_usd) })}
              </Link>
            </dd>
            <dt>{t('person.agents')}</dt>
            <dd>{data.agents}</dd>
            <dt>{t('person.sessions')}</dt>
            <dd>{data.sessions}</dd>
            <dt>{t('person.apiKeys')}</dt>
            <dd>{data.api_keys}</dd>
          </dl>
          <LimitsForm id={data.id} />
          <BetasForm id={data.id} betas={data.betas} />
          <div className="border-hairline border-t pt-4">
            {data.status === 'suspended' ? (
              <ReasonForm
                help={t('person.restoreHelp', { reason: data.suspended_reason ?? '' })}
                action={t('person.restore')}
                onSubmit={(reason) => restoreUser(data.id, reason)}
              />
            ) : (
              <ReasonForm
                danger
                help={t('person.suspendHelp')}
                action={t('person.suspend')}
                onSubmit={(reason) => suspendUser(data.id, reason)}
              />
            )}
          </div>
        </>
      )}
    </Dialog>
  )
}

function BetasForm({ id, betas }: { id: string; betas: string[] }) {
  const { t } = useTranslation('admin')
  const [text, setText] = useState(betas.join(', '))
  const save = useExclusive(async () => {
    const names = text.split(',').map((name) => name.trim())
    await setBetas(id, names.filter(Boolean)).then(
      () => toastSuccess(t('person.saved')),
      (error: unknown) => toastError(t('person.betas'), error),
    )
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    void save()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 border-hairline border-t pt-4">
      <Field label={t('person.betas')} help={t('person.betasHelp')}>
        <Input value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button type="submit" className="self-end">
        {t('person.saveBetas')}
      </Button>
    </form>
  )
}
