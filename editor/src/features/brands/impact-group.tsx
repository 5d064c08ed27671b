import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Checkbox } from '@/components/checkbox'
import { LoadError } from '@/components/load-error'
import { Card, Skeleton } from '@/components/surfaces'
import { messageOf } from '@/lib/api/error'
import { type AffectedAsset, affectedQuery, type ImpactGroup } from '@/lib/api/impact'
import { titleOf } from '@/lib/asset-title'
import { classes } from '@/lib/classes'
import { dollars } from '@/lib/format'
import { AssetPreview } from './asset-preview'

type ImpactGroupProps = {
  brandId: string
  version: string
  group: ImpactGroup
  /** Ids of the selected assets; "all" of the agent, also those that are not loaded. */
  selected: ReadonlySet<string> | 'all'
  /** Missing where nothing can be made again. */
  onSelect?: ((selected: ReadonlySet<string> | 'all') => void) | undefined
}

/** The affected assets of one agent. */
export function ImpactGroupSection({ brandId, version, group, selected, onSelect }: ImpactGroupProps) {
  const { t } = useTranslation('brands')
  const id = useId()
  const query = useInfiniteQuery(affectedQuery(brandId, version, group.flow_id))
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const count = selected === 'all' ? group.assets : selected.size
  const name = group.flow_name || t('impact.deletedAgent')
  const select = group.flow_id === null ? undefined : onSelect
  function toggle(assetId: string, on: boolean) {
    const next = new Set(selected === 'all' ? items.map(({ asset }) => asset.id) : selected)
    if (on) next.add(assetId)
    else next.delete(assetId)
    select?.(next.size === group.assets ? 'all' : next)
  }
  return (
    <section aria-labelledby={id} className="mt-6.5">
      <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        {select && (
          <Checkbox
            aria-label={t('impact.selectAgent', { name })}
            checked={count === 0 ? false : count === group.assets ? true : 'indeterminate'}
            onCheckedChange={(on) => select(on === true ? 'all' : new Set())}
          />
        )}
        <h2 id={id} dir="auto" className="min-w-0 break-words font-serif text-[23px] leading-tight">
          {name}
        </h2>
        <span className="text-muted text-sm">
          {select
            ? t('impact.selectedOf', { selected: count, count: group.assets })
            : t('impact.assets', { count: group.assets })}
        </span>
        <span className="flex-1" />
        <span className="font-mono text-muted text-sm">
          {t('impact.forAll', { usd: dollars(group.usd) })}
        </span>
        {query.hasNextPage && (
          <Button size="sm" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('impact.showMore')}
            <span className="sr-only">{name}</span>
          </Button>
        )}
      </div>
      {query.error ? (
        <LoadError text={messageOf(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4">
          {query.isPending &&
            Array.from({ length: Math.min(4, group.assets) }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the skeletons are alike
              <Skeleton key={index} className="aspect-[4/5] rounded-l" />
            ))}
          {items.map((item) => (
            <AssetTile
              key={item.asset.id}
              item={item}
              selected={selected === 'all' || selected.has(item.asset.id)}
              onSelect={select && ((on) => toggle(item.asset.id, on))}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

type AssetTileProps = {
  item: AffectedAsset
  selected: boolean
  onSelect: ((on: boolean) => void) | undefined
}

function AssetTile({ item: { asset, usd }, selected, onSelect }: AssetTileProps) {
  const id = useId()
  return (
    <Card asChild>
      <li
        className={classes(
          'min-w-0 p-2',
          selected && onSelect && 'outline-2 outline-cobalt -outline-offset-1',
        )}
      >
        <AssetPreview asset={asset} className="rounded-m" />
        <div className="flex items-center gap-2 px-1 pt-2.5 pb-1 text-sm">
          {onSelect && (
            <Checkbox
              aria-labelledby={id}
              checked={selected}
              onCheckedChange={(on) => onSelect(on === true)}
            />
          )}
          <span id={id} dir="auto" className="min-w-0 flex-1 truncate">
            {titleOf(asset)}
          </span>
          <span className="font-mono text-muted text-xs">{dollars(usd)}</span>
        </div>
      </li>
    </Card>
  )
}
