import { Brush, Columns2, Copy, Download, Ellipsis, Info, RotateCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem } from '@/components/menu'
import { classes } from '@/lib/classes'
import { isVisual, type Tile } from './model/tiles'

/** The actions of a finished tile. */
export type TileActionHandlers = {
  titleOf: (tile: Tile) => string
  view: (tile: Tile) => void
  download: (tile: Tile) => void
  copy: (tile: Tile) => void
  rerun: ((tile: Tile) => unknown) | null
  compare: (tile: Tile) => void
  /** Paints a mask on an image to edit it. */
  mask: (tile: Tile) => void
}

type TileActionsProps = {
  tile: Tile
  actions: TileActionHandlers
  /** Over an image: round buttons, visible on hover and focus. */
  over?: boolean
}

export function TileActions({ tile, actions, over }: TileActionsProps) {
  const { t } = useTranslation('runs')
  const title = actions.titleOf(tile)
  const look = over
    ? {
        variant: 'ghost' as const,
        className: 'h-7.5 w-7.5 bg-[#fffdf9]/94 text-[#1d1a16] hover:bg-[#fffdf9]',
      }
    : { variant: 'quiet' as const, className: '' }
  // A small image has room for the menu only, which contains them too.
  const small = over ? { ...look, className: `${look.className} max-sm:hidden` } : look
  return (
    <div
      className={classes(
        'flex gap-1.5',
        over &&
          'absolute top-2.5 right-2.5 transition-opacity sm:opacity-0 sm:group-focus-within/tile:opacity-100 sm:group-hover/tile:opacity-100 sm:has-data-[state=open]:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      <IconButton
        size="sm"
        {...small}
        label={t('downloadOf', { title })}
        icon={<Download />}
        onClick={() => actions.download(tile)}
      />
      {copies(tile) && (
        <IconButton
          size="sm"
          {...small}
          label={t(copyLabels[tile.kind] ?? 'copyText', { title })}
          icon={<Copy />}
          onClick={() => actions.copy(tile)}
        />
      )}
      <Menu
        trigger={
          <IconButton size="sm" {...look} tooltip={false} label={t('more', { title })} icon={<Ellipsis />} />
        }
      >
        <MenuItem icon={<Download />} onSelect={() => actions.download(tile)}>
          {t('download')}
        </MenuItem>
        {copies(tile) && (
          <MenuItem icon={<Copy />} onSelect={() => actions.copy(tile)}>
            {t('copy')}
          </MenuItem>
        )}
        {actions.rerun && (
          <MenuItem icon={<RotateCw />} onSelect={() => actions.rerun?.(tile)}>
            {t('makeAgain')}
          </MenuItem>
        )}
        {isVisual(tile) && (
          <MenuItem icon={<Columns2 />} onSelect={() => actions.compare(tile)}>
            {t('compare')}
          </MenuItem>
        )}
        {tile.kind === 'image' && (
          <MenuItem icon={<Brush />} onSelect={() => actions.mask(tile)}>
            {t('maskEdit')}
          </MenuItem>
        )}
        <MenuItem icon={<Info />} onSelect={() => actions.view(tile)}>
          {t('provenance')}
        </MenuItem>
      </Menu>
    </div>
  )
}

const copies = (tile: Tile) =>
  tile.kind === 'image' || tile.kind === 'mask' || tile.kind === 'text' || tile.kind === 'data'

const copyLabels: Partial<Record<Tile['kind'], 'copyImage'>> = {
  image: 'copyImage',
  mask: 'copyImage',
}
