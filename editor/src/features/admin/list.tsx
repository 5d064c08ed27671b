import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Card, EmptyState, ScrollRegion, Skeleton } from '@/components/surfaces'

export type Column<Item> = { title: string; cell: (item: Item) => ReactNode; end?: boolean }

type TableProps<Item> = {
  label: string
  columns: Column<Item>[]
  items: Item[]
  keyOf: (item: Item) => string
}

const cellClass = 'border-hairline border-b px-3 py-2.5 align-middle'

/** A table that scrolls sideways on small screens. */
export function Table<Item>({ label, columns, items, keyOf }: TableProps<Item>) {
  return (
    <Card className="p-1.5">
      <ScrollRegion label={label}>
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr>
              {columns.map(({ title, end }) => (
                <th
                  key={title}
                  scope="col"
                  className={`${cellClass} whitespace-nowrap font-[550] text-muted text-xs ${end ? 'text-right' : 'text-left'}`}
                >
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="[&>tr:last-child>td]:border-b-0 [&_td:first-child]:min-w-36">
            {items.map((item) => (
              <tr key={keyOf(item)}>
                {columns.map(({ title, cell, end }) => (
                  <td key={title} className={`${cellClass} ${end ? 'text-right' : ''}`}>
                    {cell(item)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  )
}

type PagesProps<Item> = Omit<TableProps<Item>, 'items'> & {
  query: Pick<
    UseInfiniteQueryResult<{ pages: { items: Item[] }[] }>,
    'data' | 'isPending' | 'isError' | 'refetch' | 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'
  >
  empty: string
}

/** A list that is loaded page by page, with its loading, empty and error states. */
export function Pages<Item>({ query, empty, ...table }: PagesProps<Item>) {
  const { t } = useTranslation('admin')
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  if (query.isPending) return <Skeleton className="h-60" />
  if (query.isError) {
    return (
      <EmptyState
        title={t('loadFailed')}
        action={<Button onClick={() => void query.refetch()}>{t('retry', { ns: 'common' })}</Button>}
      />
    )
  }
  if (items.length === 0) return <EmptyState title={empty} />
  return (
    <>
      <Table {...table} items={items} />
      {query.hasNextPage && (
        <Button
          className="self-center"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('showMore')}
        </Button>
      )}
    </>
  )
}
