import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Segmented } from '@/components/segmented'
import { EmptyState, Skeleton } from '@/components/surfaces'
import { type UsageGroup, usageQuery } from '@/lib/api/admin'
import { day, dollars } from '@/lib/format'
import { Table } from './list'

const GROUPS = ['day', 'user', 'provider'] as const

export function UsageSection() {
  const { t } = useTranslation('admin')
  const [by, setBy] = useState<UsageGroup>('day')
  const { data, isError, refetch } = useQuery(usageQuery(by))
  return (
    <>
      <Segmented
        aria-label={t('sums.by')}
        className="max-w-90"
        value={by}
        onValueChange={setBy}
        choices={GROUPS.map((value) => ({ value, label: t(`sums.${value}`) }))}
      />
      {isError && (
        <EmptyState
          title={t('loadFailed')}
          action={<Button onClick={() => void refetch()}>{t('retry', { ns: 'common' })}</Button>}
        />
      )}
      {!data && !isError && <Skeleton className="h-60" />}
      {data && (
        <>
          <p className="text-muted">
            {t('sums.total', {
              count: data.runs,
              cost: dollars(data.usd),
              since: day(data.since),
              until: day(data.until),
            })}
          </p>
          {data.items.length === 0 ? (
            <EmptyState title={t('sums.none')} />
          ) : (
            <Table
              label={t('usage')}
              items={data.items}
              keyOf={({ key }) => key}
              columns={[
                {
                  title: t(`sums.${by}`),
                  cell: ({ label }) => (
                    <span className="font-semibold">{by === 'day' ? day(label) : label}</span>
                  ),
                },
                { title: t('sums.runs'), end: true, cell: ({ runs }) => runs ?? '–' },
                {
                  title: t('cost'),
                  end: true,
                  cell: ({ usd }) => <span className="font-mono">{dollars(usd)}</span>,
                },
              ]}
            />
          )}
        </>
      )}
    </>
  )
}
