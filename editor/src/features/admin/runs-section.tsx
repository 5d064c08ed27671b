import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Chip } from '@/components/chip'
import { Select } from '@/components/select'
import { adminRunsQuery, cancelAnyRun, type RunStatus } from '@/lib/api/admin'
import { ago, dollars } from '@/lib/format'
import { toastError } from '@/lib/toasts'
import { Pages } from './list'

const STATUSES = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const
const tones = {
  queued: 'ochre',
  running: 'cobalt',
  finished: 'viridian',
  failed: 'madder',
  cancelled: 'faint',
} as const

export function RunsSection() {
  const { t } = useTranslation('admin')
  const [status, setStatus] = useState<RunStatus | 'all'>('all')
  const query = useInfiniteQuery(adminRunsQuery(status === 'all' ? undefined : status))
  return (
    <>
      <Select
        aria-label={t('status')}
        className="h-9 sm:w-44"
        value={status}
        onValueChange={setStatus}
        choices={[
          { value: 'all', label: t('all') },
          ...STATUSES.map((value) => ({ value, label: t(`run.${value}`) })),
        ]}
      />
      <Pages
        query={query}
        label={t('runs')}
        empty={t('run.none')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('run.agent'),
            cell: ({ flow_name, number }) => (
              <span className="font-semibold">{`${flow_name} #${number}`}</span>
            ),
          },
          { title: t('owner'), cell: ({ owner }) => owner.username ?? t('deletedUser') },
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
