import { useQuery } from '@tanstack/react-query'
import { ImageUp, X } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileInput } from '@/components/file-input'
import { IconButton } from '@/components/icon-button'
import { assetType } from '@/graph/catalog'
import { typeOfSchema } from '@/graph/ports'
import { assetsQuery } from '@/lib/api/assets'
import { messageOf } from '@/lib/api/error'
import { uploadAsset } from '@/lib/api/uploads'
import { classes } from '@/lib/classes'
import { ACCEPT, checkFiles } from '@/lib/launch/files'
import { isMedia } from '@/lib/run/media-values'
import type { ControlProps } from './control-props'

/** An image or other file: drop, choose, show, remove. */
export function MediaControl({ field, value, onChange, onSettle, disabled, compact, id }: ControlProps) {
  const { t } = useTranslation('inspector')
  const { t: words } = useTranslation('launch')
  const own = useId()
  const [fraction, setFraction] = useState<number | null>(null)
  const [over, setOver] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const type = typeOfSchema(field.schema).type
  const send = async (file: File | undefined) => {
    if (!file || disabled) return
    const [refused] = checkFiles([file], type in ACCEPT ? type : 'File').rejected
    setProblem(refused ? words(`rejected.${refused.reason}`, { name: refused.name }) : null)
    if (refused) return
    setFraction(0)
    try {
      const asset = await uploadAsset(file, { onProgress: setFraction })
      const { id: asset_id, media_type, width, height, seconds, name } = asset
      onChange({ $type: assetType(asset.kind), asset_id, media_type, width, height, seconds, name })
      onSettle()
    } catch (error) {
      setProblem(`${t('media.failed')} ${messageOf(error)}`)
    } finally {
      setFraction(null)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setOver(false)
    void send(event.dataTransfer.files[0])
  }
  const problemId = id ? `${id}-problem` : undefined
  const filled = isMedia(value)
  return (
    <fieldset
      aria-label={field.title}
      aria-describedby={problem ? problemId : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        event.stopPropagation()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classes(
        'relative overflow-hidden rounded-field border border-hairline-strong border-dashed bg-sunken/50',
        over && 'border-cobalt bg-cobalt/8',
      )}
    >
      {isMedia(value) && <Preview assetId={value.asset_id} compact={compact ?? false} />}
      <label
        htmlFor={id ?? own}
        className={classes(
          'flex min-h-10 items-center justify-center gap-2 px-3 py-2 text-muted text-xs',
          'has-focus-visible:text-ink has-focus-visible:outline-2 has-focus-visible:outline-cobalt has-focus-visible:-outline-offset-2',
          disabled && 'pointer-events-none',
        )}
      >
        <ImageUp className="size-4" />
        {fraction === null ? t(filled ? 'media.replace' : asks(type)) : `${Math.round(fraction * 100)} %`}
        <FileInput
          id={id ?? own}
          label={field.title}
          accept={ACCEPT[type] || undefined}
          disabled={disabled}
          onFiles={([file]) => void send(file)}
        />
      </label>
      {problem && (
        <p id={problemId} role="alert" className="px-3 pb-2 text-center text-[12.5px] text-madder-text">
          {problem}
        </p>
      )}
      {filled && !disabled && (
        <IconButton
          size="sm"
          label={t('media.remove')}
          icon={<X />}
          variant="quiet"
          className="absolute top-1.5 right-1.5"
          onClick={() => {
            setProblem(null)
            onChange(null)
            onSettle()
          }}
        />
      )}
    </fieldset>
  )
}

function asks(type: string): 'media.image' | 'media.video' | 'media.audio' | 'media.file' {
  if (type === 'Image') return 'media.image'
  if (type === 'Video') return 'media.video'
  return type === 'Audio' ? 'media.audio' : 'media.file'
}

function Preview({ assetId, compact }: { assetId: string; compact: boolean }) {
  const { data } = useQuery(assetsQuery([assetId]))
  const asset = data?.find((one) => one.id === assetId)
  const size = compact ? 'h-24' : 'h-40'
  if (!asset) return <div className={classes('media-placeholder w-full', size)} />
  if (asset.kind === 'video') {
    // biome-ignore lint/a11y/useMediaCaption: what a person uploads has no captions to show
    return <video src={asset.url} controls className={classes('w-full bg-ink object-contain', size)} />
  }
  // biome-ignore lint/a11y/useMediaCaption: what a person uploads has no captions to show
  if (asset.kind === 'audio') return <audio src={asset.url} controls className="w-full p-2" />
  if (asset.kind !== 'image') return <p className="truncate px-3 pt-2 text-sm">{asset.name}</p>
  return (
    <img
      src={asset.thumbnail_url ?? asset.url}
      alt={asset.name ?? ''}
      className={classes('w-full object-cover', size)}
    />
  )
}
