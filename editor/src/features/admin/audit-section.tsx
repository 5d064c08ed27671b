import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Chip } from '@/components/chip'
import { Combobox } from '@/components/combobox'
import { type AuditEntry, auditQuery, exportAudit } from '@/lib/api/admin'
import { moment } from '@/lib/format'
import { choiceLabel, humanize } from '@/lib/humanize'
import { toastError } from '@/lib/toasts'
import { FilterRow, StatusFilter, statusOf, useFilters } from './filters'
import { Pages } from './list'

const OUTCOMES = ['success', 'failure', 'denied'] as const
const tones = { success: 'viridian', failure: 'ochre', denied: 'madder' } as const

export function AuditSection() {
  const { t } = useTranslation('admin')
  const { filters, change } = useFilters()
  const actionLabel = useActionLabel()
  const wanted = { action: filters.q, outcome: statusOf(filters, OUTCOMES) }
  const query = useInfiniteQuery(auditQuery(wanted))
  const actions = Object.keys(t('entry.actions', { returnObjects: true }))
  return (
    <>
      <FilterRow>
        <Combobox
          aria-label={t('entry.action')}
          className="h-9 w-auto min-w-50 flex-1"
          value={filters.q ?? ''}
          choices={[
            { value: '', label: t('entry.anyAction') },
            ...actions.map((value) => ({ value, label: actionLabel(value) })),
          ]}
          onValueChange={(q) => change({ q: q || undefined })}
        />
        <StatusFilter
          label={t('entry.outcome')}
          any={t('entry.anyOutcome')}
          statuses={OUTCOMES}
          labelOf={(outcome) => t(`entry.${outcome}`)}
        />
        <Button
          onClick={() =>
            void exportAudit(wanted).catch((error: unknown) => toastError(t('entry.export'), error))
          }
        >
          {t('entry.export')}
        </Button>
      </FilterRow>
      <Pages
        query={query}
        label={t('audit')}
        empty={t('entry.none')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('entry.time'),
            cell: ({ at }) => <span className="whitespace-nowrap">{moment(at)}</span>,
          },
          { title: t('entry.action'), cell: ({ action }) => actionLabel(action) },
          {
            title: t('entry.outcome'),
            cell: (entry) => (
              <Chip dot tone={tones[entry.outcome]}>
                {t(`entry.${entry.outcome}`)}
              </Chip>
            ),
          },
          { title: t('entry.who'), cell: (entry) => <Who entry={entry} /> },
          { title: t('entry.target'), cell: (entry) => <Target entry={entry} /> },
          {
            title: t('entry.from'),
            cell: ({ address, user_agent }) => (
              <>
                <p className="font-mono text-xs">{address}</p>
                <p className="max-w-50 truncate text-muted text-xs">{user_agent}</p>
              </>
            ),
          },
        ]}
      />
    </>
  )
}

function Who({ entry: { actor, actor_kind } }: { entry: AuditEntry }) {
  const { t } = useTranslation('admin')
  if (!actor) return t(`entry.${actor_kind}`)
  return actor.username ?? t('deletedUser')
}

function Target({ entry: { target_kind, target_id, target_name, details } }: { entry: AuditEntry }) {
  const { t } = useTranslation('admin')
  const kinds: Readonly<Record<string, string>> = t('entry.kinds', { returnObjects: true })
  const facts = Object.entries(details).map(([name, value]) => `${choiceLabel(name)}: ${humanize(value)}`)
  return (
    <>
      <p>{target_name ?? (target_kind && (kinds[target_kind] ?? choiceLabel(target_kind)))}</p>
      {!target_name && <p className="max-w-50 truncate font-mono text-muted text-xs">{target_id}</p>}
      <p className="max-w-70 truncate text-muted text-xs">{facts.join(', ')}</p>
    </>
  )
}

/** Returns a function that says what an action of the log is. */
function useActionLabel(): (action: string) => string {
  const { t } = useTranslation('admin')
  const labels: Readonly<Record<string, string>> = t('entry.actions', { returnObjects: true })
  return (action) => labels[action] ?? choiceLabel(action.replaceAll('.', '_'))
}
