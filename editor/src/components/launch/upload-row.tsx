import { useQuery } from '@tanstack/react-query'
import { AudioLines, ImageOff, Paperclip, RotateCw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { assetsQuery } from '@/lib/api/assets'
import { classes } from '@/lib/classes'
import type { Upload, Uploads } from '@/lib/launch/use-uploads'
import { IconButton } from '../icon-button'
import { Progress } from '../progress'

/** The images of a launch: thumbnails with progress and a remove button. */
export function UploadRow({ uploads }: { uploads: Uploads }) {
  const { t } = useTranslation('launch')
  const adopted = uploads.items.filter((item) => item.preview === null).flatMap((item) => item.assetId ?? [])
  const { data } = useQuery({ ...assetsQuery(adopted), enabled: adopted.length > 0 })
  if (uploads.items.length === 0) return null
  return (
    <ul aria-label={t('images')} className="flex flex-wrap gap-3 pr-0.5 max-sm:mt-1 max-sm:w-full">
      {uploads.items.map((item) => {
        const asset = data?.find((one) => one.id === item.assetId)
        return (
          <UploadThumbnail
            key={item.key}
            item={item}
            src={item.preview ?? asset?.thumbnail_url ?? (asset?.kind === 'image' ? asset.url : null)}
            glyph={glyphs[asset?.kind ?? '']}
            name={item.name || asset?.name || t('image')}
            uploads={uploads}
          />
        )
      })}
    </ul>
  )
}

const glyphs: Record<string, ReactNode> = {
  audio: <AudioLines aria-hidden />,
  file: <Paperclip aria-hidden />,
  text: <Paperclip aria-hidden />,
  data: <Paperclip aria-hidden />,
}

type UploadThumbnailProps = {
  item: Upload
  src: string | null
  /** Placeholder for a file without a preview. */
  glyph: ReactNode
  name: string
  uploads: Uploads
}

function UploadThumbnail({ item, src, glyph, name, uploads }: UploadThumbnailProps) {
  const { t } = useTranslation('launch')
  const sending = item.assetId === null && item.error === null
  return (
    <li className="relative size-13.5" title={name}>
      <span
        className={classes(
          'grid size-full place-items-center overflow-hidden rounded-field border bg-sunken text-muted [&_svg]:size-5',
          item.error ? 'border-madder' : 'border-hairline',
        )}
      >
        {item.isUnusable ? <ImageOff aria-hidden className="text-madder-text" /> : !src && glyph}
        {src && !item.isUnusable && (
          <img
            src={src}
            alt={name}
            className={classes(
              'size-full object-cover transition-opacity',
              (sending || item.error) && 'opacity-45',
            )}
          />
        )}
      </span>
      {sending && (
        <Progress
          value={item.progress}
          label={t('uploading', { name })}
          className="absolute inset-x-1.5 bottom-1.5 h-1 w-auto bg-surface"
          bar="bg-cobalt"
        />
      )}
      {item.error && !item.isUnusable && (
        <IconButton
          size="sm"
          label={t('retryUpload', { name })}
          icon={<RotateCw />}
          className="absolute inset-0 m-auto bg-surface"
          onClick={() => uploads.retry(item.key)}
        />
      )}
      <IconButton
        size="sm"
        variant="primary"
        tooltip={false}
        label={t('removeImage', { name })}
        icon={<X className="size-2.5! [stroke-width:2.5]!" />}
        className="-top-2 -right-2 absolute [&]:h-6 [&]:w-6"
        onClick={() => uploads.remove(item.key)}
      />
    </li>
  )
}
