import { useInfiniteQuery } from '@tanstack/react-query'
import { Images, Upload } from 'lucide-react'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { CompareDialog } from '@/components/compare-dialog'
import { DropOverlay } from '@/components/drop-overlay'
import { FileInput } from '@/components/file-input'
import { Progress } from '@/components/progress'
import { SearchField } from '@/components/search-field'
import { EmptyState, Skeleton } from '@/components/surfaces'
import { type Asset, type LibraryFilters as Filters, libraryQuery } from '@/lib/api/assets'
import { messageOf } from '@/lib/api/error'
import { titleOf } from '@/lib/asset-title'
import { useHasRendered, useTitle } from '@/lib/browser-hooks'
import { usePageDrop } from '@/lib/launch/use-page-drop'
import { useTypedText } from '@/lib/use-typed-text'
import { usePendingDeletions } from '@/lib/with-undo'
import { AssetContent } from './asset-content'
import { AssetDialog } from './asset-dialog'
import { AssetGrid } from './asset-grid'
import { AddToCollectionDialog } from './collection-dialogs'
import { CollectionHeading } from './collection-heading'
import { LibraryFilters } from './library-filters'
import { EMPTY_SELECTION, extended, toggled, withoutRemoved } from './selection'
import { SelectionBar } from './selection-bar'
import { SendDialog } from './send-dialog'
import { TagDialog } from './tag-dialog'
import { type Sending, useLibraryActions } from './use-library-actions'

type LibraryPageProps = {
  /** Filters are stored in the address, so that Back restores them. */
  filters: Filters
  onFilters: (filters: Filters) => void
}

/** All generated and uploaded assets of the user. */
export function LibraryPage({ filters, onFilters: setFilters }: LibraryPageProps) {
  const { t } = useTranslation('assets')
  useTitle(t('title'))
  const hasRendered = useHasRendered()
  const library = useLibrary(useDeferredValue(filters))
  const isWaiting = library.isPending || !hasRendered
  const { assets } = library
  const [selection, setSelection] = useState(EMPTY_SELECTION)
  const [opened, setOpened] = useState<Asset | null>(null)
  const [sent, setSent] = useState<readonly Asset[]>([])
  const [collected, setCollected] = useState<readonly string[]>([])
  const [comparing, setComparing] = useState(false)
  const [tagging, setTagging] = useState(false)
  const [text, setText] = useTypedText(filters.q ?? '', (q) => setFilters({ ...filters, q: q || undefined }))
  const { download, remove, upload, star, uncollect, packing, sending } = useLibraryActions()
  const dropping = usePageDrop({ onFiles: (files) => void upload(files) })
  useEffect(() => setSelection((known) => withoutRemoved(known, idsOf(assets))), [assets])
  const listed = useRef(assets)
  useEffect(() => {
    listed.current = assets
  }, [assets])
  const choose = useCallback(
    ({ id }: Asset, range: boolean) =>
      setSelection((known) => (range ? extended(known, id, idsOf(listed.current)) : toggled(known, id))),
    [],
  )
  const chosen = assets.filter(({ id }) => selection.ids.has(id))
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = library
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  const filtered = Object.values(filters).some((value) => value !== undefined)

  return (
    <div className="mx-auto max-w-320 px-4 pt-6 pb-24 sm:px-6 sm:pt-8.5">
      <div className="flex flex-wrap items-center gap-2.5">
        <h1 className="flex-1 font-serif text-heading">{t('title')}</h1>
        <SearchField
          value={text}
          onChange={setText}
          label={t('search')}
          placeholder={t('search')}
          className="w-65 max-sm:order-last max-sm:w-full"
        />
        <UploadButton sending={sending} onFiles={(files) => void upload(files)} />
      </div>
      <LibraryFilters value={filters} onChange={setFilters} />
      {filters.collection_id && (
        <CollectionHeading
          key={filters.collection_id}
          id={filters.collection_id}
          onDeleted={() => setFilters({ ...filters, collection_id: undefined })}
        />
      )}
      {isWaiting && <Waiting isOpening={!hasRendered} />}
      {!isWaiting && library.isError && (
        <EmptyState
          className="mt-5"
          title={messageOf(library.error)}
          action={
            filtered && (
              <Button size="sm" onClick={() => setFilters({})}>
                {t('clear')}
              </Button>
            )
          }
        />
      )}
      {!isWaiting && library.isSuccess && assets.length === 0 && (
        <NoAssets filtered={filtered} onClear={() => setFilters({})} />
      )}
      {!isWaiting && assets.length > 0 && (
        <AssetGrid
          assets={assets}
          selection={selection}
          more={hasNextPage && !isFetchingNextPage}
          onMore={more}
          onOpen={setOpened}
          onChooseAll={() => setSelection({ ids: new Set(idsOf(assets)), anchor: null })}
          onClear={() => setSelection(EMPTY_SELECTION)}
          onChoose={choose}
        />
      )}
      <SelectionBar
        count={selection.ids.size}
        busy={packing}
        favourite={chosen.every((asset) => asset.favourite)}
        onFavourite={() => star(chosen)}
        onTag={() => setTagging(true)}
        onCollect={() => setCollected(idsOf(chosen))}
        onUncollect={
          filters.collection_id
            ? () => void uncollect(filters.collection_id as string, idsOf(chosen))
            : undefined
        }
        onCompare={() => setComparing(true)}
        onSend={
          chosen.every(({ kind }) => kind === 'text')
            ? undefined
            : () => setSent(chosen.filter(({ kind }) => kind !== 'text'))
        }
        onDownload={() => void download(chosen)}
        onDelete={() => remove(chosen)}
        onClear={() => setSelection(EMPTY_SELECTION)}
      />
      <AssetDialog
        asset={opened}
        onClose={() => setOpened(null)}
        onDownload={(asset) => void download([asset])}
        onSend={(asset) => {
          setOpened(null)
          setSent([asset])
        }}
        onCollect={({ id }) => {
          setOpened(null)
          setCollected([id])
        }}
        onDelete={(asset) => {
          setOpened(null)
          remove([asset])
        }}
      />
      <TagDialog assets={tagging ? chosen : []} onClose={() => setTagging(false)} />
      <AddToCollectionDialog
        assetIds={collected}
        onClose={() => setCollected([])}
        onAdded={() => setCollected([])}
      />
      <CompareDialog
        title={t('compareTitle')}
        sides={comparing ? chosen.map(sideOf) : []}
        onClose={() => setComparing(false)}
      />
      <SendDialog assets={sent} onClose={() => setSent([])} />
      <DropOverlay shown={dropping} title={t('dropTitle')} />
    </div>
  )
}

function sideOf(asset: Asset) {
  const notes = [asset.flow_name, asset.made_by?.prompt]
  return { key: asset.id, title: titleOf(asset), content: <AssetContent asset={asset} />, notes }
}

const idsOf = (assets: readonly Asset[]) => assets.map(({ id }) => id)

function Waiting({ isOpening }: { isOpening: boolean }) {
  return (
    <div
      aria-busy
      data-opening={isOpening || undefined}
      className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-6"
    >
      {Array.from({ length: 18 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places without a content of their own.
        <Skeleton key={index} className="aspect-square rounded-m" />
      ))}
    </div>
  )
}

function NoAssets({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useTranslation('assets')
  if (!filtered) {
    return (
      <EmptyState className="mt-5" icon={<Images />} title={t('empty')}>
        {t('emptyHelp')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      className="mt-5"
      title={t('emptyFound')}
      action={
        <Button size="sm" onClick={onClear}>
          {t('clear')}
        </Button>
      }
    />
  )
}

function UploadButton({ sending, onFiles }: { sending: Sending | null; onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('assets')
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      {sending && (
        <Progress value={sending.progress} label={t('uploading', { name: sending.name })} className="w-32" />
      )}
      <Button variant="primary" busy={sending !== null} onClick={() => chooser.current?.click()}>
        <Upload aria-hidden />
        {t('upload')}
      </Button>
      <FileInput ref={chooser} label={t('upload')} multiple onFiles={onFiles} />
    </>
  )
}

/** The library as one list, loaded page by page. */
export function useLibrary(filters: Filters) {
  const query = useInfiniteQuery(libraryQuery(filters))
  const going = usePendingDeletions()
  const assets = useMemo<Asset[]>(
    () => (query.data?.pages ?? []).flatMap((page) => page.items).filter(({ id }) => !going.has(id)),
    [query.data, going],
  )
  return { ...query, assets }
}
