import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Chip } from '@/components/chip'
import { SearchField } from '@/components/search-field'
import { Select } from '@/components/select'
import { type AuditEntry, type AuditOutcome, auditQuery, exportAudit } from '@/lib/api/admin'
import { moment } from '@/lib/format'
import { toastError } from '@/lib/toasts'
import { Pages } from './list'

const OUTCOMES = ['success', 'failure', 'denied'] as const
const tones = { success: 'viridian', failure: 'ochre', denied: 'madder' } as const

export function AuditSection() {
  const { t } = useTranslation('admin')
  const [action, setAction] = useState('')
  const [outcome, setOutcome] = useState<AuditOutcome | 'all'>('all')
  const wanted = {
    action: useDeferredValue(action).trim() || undefined,
    outcome: outcome === 'all' ? undefined : outcome,
  }
  const query = useInfiniteQuery(auditQuery(wanted))
  return (
    <>
      <div className="flex flex-wrap items-center gap-2.5">
        <SearchField
          className="min-w-50 flex-1"
          value={action}
          onChange={setAction}
          label={t('entry.action')}
          placeholder="sign_in, api_key, user.suspend"
        />
        <Select
          aria-label={t('entry.outcome')}
          className="h-9 sm:w-44"
          value={outcome}
          onValueChange={setOutcome}
          choices={[
            { value: 'all', label: t('all') },
            ...OUTCOMES.map((value) => ({ value, label: t(`entry.${value}`) })),
          ]}
        />
        <Button
          onClick={() =>
            void exportAudit(wanted).catch((error: unknown) => toastError(t('entry.export'), error))
          }
        >
          {t('entry.export')}
        </Button>
      </div>
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
          { title: t('entry.action'), cell: ({ action: name }) => <code className="font-mono">{name}</code> },
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
  const facts = Object.entries(details).map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <p>{target_name ?? (target_kind && `${target_kind} ${target_id}`)}</p>
      <p className="max-w-70 truncate text-muted text-xs">{facts.join(', ')}</p>
    </>
  )
}
