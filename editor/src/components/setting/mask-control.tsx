import '@/lib/i18n/mask'
import { useQuery } from '@tanstack/react-query'
import { Brush, ImageUp, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { FileInput } from '@/components/file-input'
import { LazyMaskDialog } from '@/components/mask/lazy-mask'
import { maskValue } from '@/components/mask/mask-value'
import { type Asset, assetsQuery } from '@/lib/api/assets'
import { messageOf } from '@/lib/api/error'
import { uploadAsset } from '@/lib/api/uploads'
import { ACCEPT, checkFiles } from '@/lib/launch/files'
import { mediaIn } from '@/lib/run/media-values'
import { type ControlProps, groupAccess } from './control-props'

/** A mask: painted on the image that the node is given, or chosen as a file. */
export function MaskControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled, compact, imageId, id } = props
  const { t } = useTranslation('mask')
  const { t: words } = useTranslation('launch')
  const own = useId()
  const [isPainting, setPainting] = useState(false)
  const [fraction, setFraction] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const mask = mediaIn(value)[0]?.asset_id
  const take = (asset: Asset) => {
    onChange(maskValue(asset))
    onSettle()
  }
  async function send(file: File | undefined) {
    if (!file) return
    const [refused] = checkFiles([file], 'Image').rejected
    setProblem(refused ? words(`rejected.${refused.reason}`, { name: refused.name }) : null)
    if (refused) return
    setFraction(0)
    try {
      take(await uploadAsset(file, { onProgress: setFraction, isIntermediate: true }))
    } catch (error) {
      setProblem(`${t('failed')} ${messageOf(error)}`)
    } finally {
      setFraction(null)
    }
  }
  return (
    <fieldset {...groupAccess(props)} className="flex min-w-0 flex-col gap-2">
      {mask && <MaskThumbnail maskId={mask} imageId={imageId ?? null} compact={compact ?? false} />}
      {!disabled && (
        <div className="flex flex-wrap items-center gap-1.5">
          {imageId && !compact && (
            <Button size="sm" onClick={() => setPainting(true)}>
              <Brush aria-hidden />
              {t('paint')}
            </Button>
          )}
          <label
            htmlFor={id ?? own}
            className="inline-flex h-7 cursor-pointer items-center gap-2 rounded-pill border border-hairline-strong bg-surface px-2.5 font-semibold text-[12.5px] leading-none hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-cobalt [&_svg]:size-3.5"
          >
            <ImageUp aria-hidden />
            {fraction === null ? t(mask ? 'replace' : 'choose') : `${Math.round(fraction * 100)} %`}
            <FileInput
              id={id ?? own}
              label={props.field.title}
              accept={ACCEPT.Image}
              onFiles={([file]) => void send(file)}
            />
          </label>
          {mask && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                setProblem(null)
                onChange(null)
                onSettle()
              }}
            >
              <X aria-hidden />
              {t('remove')}
            </Button>
          )}
        </div>
      )}
      <ImageHelp {...props} />
      {problem && (
        <p role="alert" className="text-[12.5px] text-madder-text">
          {problem}
        </p>
      )}
      {isPainting && imageId && (
        <LazyMaskDialog
          imageId={imageId}
          maskId={mask ?? null}
          onCancel={() => setPainting(false)}
          onMask={(made) => {
            setPainting(false)
            take(made)
          }}
        />
      )}
    </fieldset>
  )
}

/** What to do to paint here, while the image is not known. */
function ImageHelp({ disabled, imageId, compact, imageHelp }: ControlProps) {
  const { t } = useTranslation('mask')
  if (disabled || imageId !== null || compact) return null
  return <p className="text-muted text-xs">{imageHelp ?? t('noImage')}</p>
}

type MaskThumbnailProps = { maskId: string; imageId: string | null; compact: boolean }

/** The image with the masked part in the accent colour; without an image, the mask itself. */
function MaskThumbnail({ maskId, imageId, compact }: MaskThumbnailProps) {
  const { t } = useTranslation('mask')
  const { data } = useQuery(assetsQuery(imageId ? [maskId, imageId] : [maskId]))
  const mask = data?.find(({ id }) => id === maskId)
  const image = data?.find(({ id }) => id === imageId)
  const height = compact ? 'h-24' : 'h-40'
  if (!mask) return <div className={`media-placeholder w-full rounded-field ${height}`} />
  const source = mask.thumbnail_url ?? mask.url
  if (!image) {
    return (
      <img
        src={source}
        alt={t('thumbnail')}
        className={`w-full rounded-field bg-sunken object-contain ${height}`}
      />
    )
  }
  const shape = { maskImage: `url("${source}")`, WebkitMaskImage: `url("${source}")` }
  return (
    <div
      role="img"
      aria-label={t('thumbnail')}
      className={`grid justify-center rounded-field bg-sunken ${height}`}
    >
      <div className={`relative ${height}`}>
        <img src={image.thumbnail_url ?? image.url} alt="" className="h-full max-w-full object-contain" />
        <div
          data-mask-shape
          style={{ ...shape, maskMode: 'luminance', maskSize: '100% 100%' }}
          className="absolute inset-0 bg-cobalt opacity-70"
        />
      </div>
    </div>
  )
}
