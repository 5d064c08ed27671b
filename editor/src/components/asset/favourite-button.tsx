import { Star } from 'lucide-react'
import { setFavourite } from '@/lib/api/asset-labels'
import type { Asset } from '@/lib/api/assets'
import { titleOf } from '@/lib/asset-title'
import { classes } from '@/lib/classes'
import { i18n } from '@/lib/i18n'
import { toastError } from '@/lib/toasts'

type FavouriteButtonProps = { asset: Asset; className?: string }

/** A star that marks an asset as a favourite. */
export function FavouriteButton({ asset, className }: FavouriteButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={asset.favourite}
      aria-label={i18n.t('assets:favouriteOf', { name: titleOf(asset) })}
      onClick={() =>
        void setFavourite([asset], !asset.favourite).catch((error: unknown) =>
          toastError(i18n.t('assets:labelsFailed'), error),
        )
      }
      className={classes(
        'grid size-7 place-items-center rounded-pill bg-[#fffdf9]/92 text-[#1d1a16] transition-opacity',
        className,
      )}
    >
      <Star aria-hidden className={classes('size-4', asset.favourite && 'fill-[#b97c0c] text-[#b97c0c]')} />
    </button>
  )
}
