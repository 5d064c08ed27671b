import { useQuery } from '@tanstack/react-query'
import { FileAudio, FileUp, Film, Paperclip, X } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { assetsQuery } from '@/lib/api/assets'
import { messageOf } from '@/lib/api/error'
import { uploadAsset } from '@/lib/api/uploads'
import { classes } from '@/lib/classes'
import type { Field } from '@/lib/launch/fields'
import { ACCEPT, checkFiles, filesIn } from '@/lib/launch/files'
import { assetIdsIn, type MediaReference, mediaReference } from '@/lib/launch/inputs'
import { Button } from '../button'
import { FileInput } from '../file-input'
import { IconButton } from '../icon-button'
import { Progress } from '../progress'

type MediaFieldProps = {
  field: Pick<Field, 'title' | 'valueType' | 'list'>
  value: unknown
  onChange: (value: unknown) => void
}

/** One file of a type, or several: choose, drop, show, replace, remove. */
export function MediaField({ field, value, onChange }: MediaFieldProps) {
  const { t } = useTranslation('launch')
  const ids = assetIdsIn(value)
  const { progress, problem, send } = useSending(field.valueType, (made) => {
    const references = made.map((id) => mediaReference(field.valueType as MediaReference['$type'], id))
    onChange(
      field.list
        ? [...ids.map((id) => mediaReference(references[0]?.$type ?? 'Image', id)), ...references]
        : references[0],
    )
  })
  const drop = (event: DragEvent) => {
    const files = filesIn(event.dataTransfer)
    if (files.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    void send(files)
  }
  const remove = (id: string) => {
    const rest = ids.filter((one) => one !== id)
    const remaining = rest.map((one) => mediaReference(field.valueType as MediaReference['$type'], one))
    onChange(field.list ? remaining : null)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button is the first.
    <div
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
      className="flex min-h-16 flex-wrap items-center gap-2.5 rounded-field border border-hairline-strong border-dashed bg-surface p-2.5"
    >
      {ids.map((id) => (
        <HeldAsset key={id} id={id} onRemove={() => remove(id)} />
      ))}
      <FileButton field={field} filled={ids.length > 0} onFiles={send} />
      {ids.length === 0 && <span className="text-muted text-sm">{t('form.drop')}</span>}
      {progress !== null && <Progress value={progress} label={t('uploading', { name: field.title })} />}
      {problem && (
        <p role="alert" className="w-full text-[12.5px] text-madder-text">
          {problem}
        </p>
      )}
    </div>
  )
}

function useSending(valueType: string, onSent: (assetIds: string[]) => void) {
  const { t } = useTranslation('launch')
  const [progress, setProgress] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  async function send(files: readonly File[]) {
    const { accepted, rejected } = checkFiles(files, valueType)
    const [first] = rejected
    setProblem(first ? t(`rejected.${first.reason}`, { name: first.name }) : null)
    if (accepted.length === 0) return
    setProgress(0)
    try {
      const assets = await Promise.all(accepted.map((file) => uploadAsset(file, { onProgress: setProgress })))
      onSent(assets.map((asset) => asset.id))
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setProgress(null)
    }
  }
  return { progress, problem, send }
}

type FileButtonProps = {
  field: MediaFieldProps['field']
  filled: boolean
  onFiles: (files: File[]) => void
}

function FileButton({ field, filled, onFiles }: FileButtonProps) {
  const { t } = useTranslation('launch')
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        size="sm"
        onClick={() => chooser.current?.click()}
        aria-label={`${field.title}: ${t('form.upload')}`}
      >
        <FileUp aria-hidden />
        {filled && !field.list ? t('form.replace') : t('form.upload')}
      </Button>
      <FileInput
        ref={chooser}
        label={field.title}
        accept={ACCEPT[field.valueType]}
        multiple={field.list}
        onFiles={onFiles}
      />
    </>
  )
}

const glyphs: Record<string, ReactNode> = { video: <Film />, audio: <FileAudio />, file: <Paperclip /> }

/** A thumbnail of an asset, with a button that removes it. */
function HeldAsset({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t } = useTranslation('launch')
  const { data } = useQuery(assetsQuery([id]))
  const asset = data?.find((one) => one.id === id)
  const poster = asset?.thumbnail_url ?? (asset?.kind === 'image' ? asset.url : null)
  return (
    <span className="relative size-13.5 flex-none">
      <span
        className={classes(
          'grid size-full place-items-center overflow-hidden rounded-field border border-hairline bg-sunken text-muted',
        )}
      >
        {poster ? (
          <img src={poster} alt={asset?.name ?? ''} className="size-full object-cover" />
        ) : (
          glyphs[asset?.kind ?? '']
        )}
      </span>
      <IconButton
        size="sm"
        variant="primary"
        tooltip={false}
        label={`${t('form.remove')} ${asset?.name ?? ''}`.trim()}
        icon={<X className="size-2.5!" />}
        className="-top-2 -right-2 absolute [&]:h-6 [&]:w-6"
        onClick={onRemove}
      />
    </span>
  )
}
