import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { LoadError } from '@/components/load-error'
import { Card, Skeleton } from '@/components/surfaces'
import { usageQuery } from '@/lib/api/usage'
import { grouped } from './groups'
import { UsageRow } from './usage-row'

/** The user's limits, how much of each is used, and how to get more. */
export function Usage() {
  const { t } = useTranslation('usage')
  const { data, isPending, isError, refetch } = useQuery(usageQuery)
  return (
    <Card asChild className="flex flex-col gap-3.5 p-5.5">
      <section id="usage" aria-labelledby="usage-title" aria-busy={isPending}>
        <div>
          <h2 id="usage-title" className="font-serif text-title">
            {t('title')}
          </h2>
          <p className="mt-1 text-muted">{t('help')}</p>
        </div>
        {isPending && (
          <div className="grid gap-3.5 sm:grid-cols-2">
            {[0, 1, 2, 3].map((index) => (
              <Skeleton key={index} className="h-36" />
            ))}
          </div>
        )}
        {isError && <LoadError text={t('loadFailed')} onRetry={() => void refetch()} />}
        {data?.items.length === 0 && <p className="text-muted">{t('none')}</p>}
        {data && data.items.length > 0 && (
          <>
            <div className="grid gap-x-7 gap-y-4 sm:grid-cols-2">
              {grouped(data.items).map(({ group, items }) => (
                <div key={group}>
                  <h3 className="border-hairline border-b pb-1.5 text-muted text-xs">
                    {t(`groups.${group}`)}
                  </h3>
                  <ul>
                    {items.map((usage) => (
                      <UsageRow key={usage.name} usage={usage} />
                    ))}
                  </ul>
                </div>
              ))}
            </div>
            <HowToGetMore url={data.book_a_call_url} />
          </>
        )}
      </section>
    </Card>
  )
}

function HowToGetMore({ url }: { url: string | null }) {
  const { t } = useTranslation('usage')
  if (!url) return <p className="text-muted text-sm">{t('askOperator')}</p>
  return (
    <p className="text-muted text-sm">
      {t('needMore')}{' '}
      <a href={url} target="_blank" rel="noreferrer noopener" className="text-cobalt-text underline">
        {t('bookCall')}
      </a>
    </p>
  )
}
