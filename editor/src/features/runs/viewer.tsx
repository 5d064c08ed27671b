import { ChevronLeft, ChevronRight, Download, Info, Maximize, X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AssetLabels } from '@/components/asset/lazy-labels'
import { ChangePanel } from '@/components/change/lazy-panel'
import { AiMark } from '@/components/credentials/ai-mark'
import { DataTable } from '@/components/data-table'
import { IconButton } from '@/components/icon-button'
import { Markdown } from '@/components/markdown'
import { MaskOverImage } from '@/components/mask/mask-over-image'
import { Video } from '@/components/media/video'
import { Waveform } from '@/components/media/waveform'
import { useReturnFocus } from '@/components/overlay'
import { overlayRoot } from '@/components/overlay-root'
import { ScrollRegion } from '@/components/surfaces'
import { hasClosedTooltip } from '@/components/tooltip'
import { type Asset, imageUrl } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import { layOutData } from '@/lib/data-layout'
import { asText } from '@/lib/run/values'
import { ContentView } from './content-view'
import { Filmstrip } from './filmstrip'
import type { Tile } from './model/tiles'

type ViewerProps = {
  /** The tiles to browse; the viewer is open while `key` names one of them. */
  tiles: readonly Tile[]
  current: string | null
  onMove: (key: string | null) => void
  assetOf: (tile: Tile) => Asset | undefined
  titleOf: (tile: Tile) => string
  onDownload: (tile: Tile) => void
  provenance: (tile: Tile) => ReactNode
}

/** One result in full screen with its provenance; arrow keys move between results, Escape closes. */
export function Viewer({ tiles, current, onMove, assetOf, titleOf, onDownload, provenance }: ViewerProps) {
  const { t } = useTranslation(['runs', 'common'])
  const [facts, setFacts] = useState(true)
  // An earlier version of the result that is shown instead of the newest.
  const [version, setVersion] = useState<{ key: string; asset: Asset } | null>(null)
  const index = tiles.findIndex(({ key }) => key === current)
  const tile = tiles[index]
  const move = (by: number) => onMove(tiles[(index + by + tiles.length) % tiles.length]?.key ?? null)
  const keys = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    // React passes on the keys of a dialog that was opened from here.
    if (!event.currentTarget.contains(target)) return
    if (hasClosedTooltip(event.nativeEvent)) onMove(null)
    const widget = target.closest('video, audio, section')
    // The viewer itself is in a section: that of all overlays.
    if (widget && event.currentTarget.contains(widget)) return
    if (event.key === 'ArrowLeft') move(-1)
    if (event.key === 'ArrowRight') move(1)
    if (event.key === 'f' && !event.ctrlKey && !event.metaKey) toggleFullScreen()
  }
  const open = tile !== undefined
  const onCloseAutoFocus = useReturnFocus(open)
  const newest = tile && assetOf(tile)
  const older = version && version.key === tile?.key ? version.asset : null
  useEffect(() => (open ? leaveFullScreen : undefined), [open])
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onMove(null)}>
      <Radix.Portal container={overlayRoot()}>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-paper" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={onCloseAutoFocus}
          onKeyDown={keys}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            ;(event.currentTarget as HTMLElement).focus()
          }}
          className="fixed inset-0 z-40 flex flex-col overflow-y-auto outline-none md:flex-row md:overflow-hidden"
        >
          {tile && (
            <>
              <div
                className="flex min-h-[70dvh] min-w-0 flex-1 flex-col"
                style={{ '--viewer-bars': tiles.length > 1 ? '208px' : '92px' } as CSSProperties}
              >
                <header className="flex items-center gap-2 px-4 py-2.5">
                  <Radix.Title className="min-w-0 flex-1 truncate font-semibold">{titleOf(tile)}</Radix.Title>
                  <span className="font-mono text-muted text-xs">{`${index + 1} / ${tiles.length}`}</span>
                  <IconButton
                    label={t('common:download')}
                    icon={<Download />}
                    onClick={() => onDownload(tile)}
                  />
                  {document.fullscreenEnabled && (
                    <IconButton
                      label={t('viewer.fullScreen')}
                      icon={<Maximize />}
                      aria-keyshortcuts="F"
                      onClick={toggleFullScreen}
                      className="max-md:hidden"
                    />
                  )}
                  <IconButton
                    label={t('provenance')}
                    icon={<Info />}
                    aria-pressed={facts}
                    onClick={() => setFacts(!facts)}
                    className="max-md:hidden"
                  />
                  <Radix.Close asChild>
                    <IconButton label={t('common:close')} icon={<X />} tooltip={false} />
                  </Radix.Close>
                </header>
                <div className="relative grid min-h-0 flex-1 place-items-center px-4 pb-4 sm:px-16">
                  <Shown tile={tile} asset={older ?? newest} title={titleOf(tile)} />
                  {tiles.length > 1 && (
                    <>
                      <Side
                        label={t('viewer.previous')}
                        icon={<ChevronLeft />}
                        onPress={() => move(-1)}
                        className="left-2"
                      />
                      <Side
                        label={t('viewer.next')}
                        icon={<ChevronRight />}
                        onPress={() => move(1)}
                        className="right-2"
                      />
                    </>
                  )}
                </div>
                {tiles.length > 1 && (
                  <Filmstrip {...{ tiles, current: tile.key, assetOf, titleOf, onMove }} />
                )}
              </div>
              {facts && (
                <aside
                  aria-label={t('provenance')}
                  className="scrollbar-quiet flex-none border-hairline bg-surface p-5 max-md:border-t md:w-96 md:overflow-y-auto md:border-l"
                >
                  {newest && <AssetLabels asset={newest} className="mb-5" />}
                  {newest?.kind === 'image' && tile.kind !== 'mask' && (
                    <div className="mb-5 border-hairline border-b pb-5">
                      <ChangePanel
                        key={tile.key}
                        asset={newest}
                        shown={older}
                        onShow={(asset) => setVersion(asset && { key: tile.key, asset })}
                      />
                    </div>
                  )}
                  {provenance(tile)}
                </aside>
              )}
            </>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Makes the whole page full screen, so that toasts and tooltips still show over the result. */
function toggleFullScreen(): void {
  if (document.fullscreenElement) leaveFullScreen()
  else void document.documentElement.requestFullscreen?.().catch(() => undefined)
}

function leaveFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
}

type SideProps = { label: string; icon: ReactNode; onPress: () => void; className: string }

function Side({ label, icon, onPress, className }: SideProps) {
  return (
    <IconButton
      label={label}
      icon={icon}
      variant="quiet"
      onClick={onPress}
      className={classes('-translate-y-1/2 absolute top-1/2', className)}
    />
  )
}

type ShownProps = { tile: Tile; asset: Asset | undefined; title: string }

function Shown({ tile, asset, title }: ShownProps) {
  if (tile.kind === 'mask' && asset) return <ShownMask key={asset.id} asset={asset} title={title} />
  if (tile.kind === 'image' && asset) return <ZoomableImage key={asset.id} asset={asset} title={title} />
  if (tile.kind === 'video' && asset) {
    return (
      <div className="relative">
        <Video
          key={asset.id}
          src={asset.url}
          poster={asset.thumbnail_url ?? undefined}
          controls
          title={title}
          className="max-h-[calc(100dvh-var(--viewer-bars))] max-w-full rounded-m"
          style={{ aspectRatio: tile.ratio ?? undefined }}
        />
        <AiMark made={asset.ai_made} className="absolute top-3 left-3" />
      </div>
    )
  }
  if (tile.kind === 'audio' && asset) {
    return (
      <div className="relative w-full max-w-190">
        <AiMark made={asset.ai_made} className="-top-9 absolute left-0" />
        <Waveform key={asset.id} src={asset.url} title={title} seconds={asset.seconds} height={120} />
      </div>
    )
  }
  return (
    <ScrollRegion label={title} className="max-h-[calc(100dvh-var(--viewer-bars))] w-full max-w-170 text-md">
      {tile.content ? (
        <ContentView content={tile.content} />
      ) : tile.kind === 'data' ? (
        <DataTable laid={layOutData(tile.value)} />
      ) : (
        <Markdown>{asText(tile.value) ?? ''}</Markdown>
      )}
    </ScrollRegion>
  )
}

/** A mask over the image that it was made of. */
function ShownMask({ asset, title }: { asset: Asset; title: string }) {
  const { t } = useTranslation('runs')
  return (
    <div>
      <MaskOverImage
        mask={asset}
        alt={t('maskAlt', { title })}
        className="h-auto max-h-[calc(100dvh-var(--viewer-bars))] w-auto max-w-full rounded-m"
      />
    </div>
  )
}

/** Fits the screen; press for the original size with scrolling. */
function ZoomableImage({ asset, title }: { asset: Asset; title: string }) {
  const { t } = useTranslation('runs')
  const [whole, setWhole] = useState(true)
  return (
    <div
      className={classes(
        'grid size-full place-items-center',
        !whole && 'max-h-[calc(100dvh-var(--viewer-bars))] overflow-auto',
      )}
    >
      <button
        type="button"
        aria-label={whole ? t('viewer.zoomIn') : t('viewer.zoomOut')}
        onClick={() => setWhole(!whole)}
        className={classes('relative', whole ? 'cursor-zoom-in rounded-m' : 'cursor-zoom-out')}
      >
        <img
          src={imageUrl(asset)}
          alt={title}
          width={asset.width ?? undefined}
          height={asset.height ?? undefined}
          className={
            whole
              ? 'h-auto max-h-[calc(100dvh-var(--viewer-bars))] w-auto max-w-full rounded-m'
              : 'max-w-none'
          }
        />
        <AiMark made={asset.ai_made} className="absolute top-3 left-3" />
      </button>
    </div>
  )
}
