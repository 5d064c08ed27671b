import { type SyntheticEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layout, VersionRequest } from '@/lib/api/asset-versions'
import { uploadAsset } from '@/lib/api/uploads'
import { toastError } from '@/lib/toasts'
import { Button } from '../button'
import { Field } from '../field'
import { FileInput } from '../file-input'
import { Input } from '../input'
import { Segmented } from '../segmented'

type LayoutChange = NonNullable<VersionRequest['layout']>
type Ratio = NonNullable<LayoutChange['aspect_ratio']>

type LayoutFormProps = {
  layout: Layout
  busy: boolean
  onMake: (change: LayoutChange) => void
}

/** Changes the format, the words and the product image of a composition. */
export function LayoutForm({ layout, busy, onMake }: LayoutFormProps) {
  const { t } = useTranslation('change')
  const [ratio, setRatio] = useState<Ratio | null>(null)
  const [texts, setTexts] = useState<Record<string, string>>({})
  const [images, setImages] = useState<Record<string, string>>({})
  const changed = layout.texts.filter(({ id, value }) => (texts[id] ?? value) !== value)
  const isChanged = ratio !== null || changed.length > 0 || Object.keys(images).length > 0

  function submit(event: SyntheticEvent) {
    event.preventDefault()
    if (!isChanged || busy) return
    onMake({
      ...(ratio && { aspect_ratio: ratio }),
      texts: Object.fromEntries(changed.map(({ id }) => [id, texts[id] ?? ''])),
      images,
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3.5">
      {layout.aspect_ratios.length > 0 && (
        <Field label={t('format')} help={t('formatHelp')}>
          <Segmented
            value={ratio ?? (layout.aspect_ratio as Ratio)}
            onValueChange={(next) => setRatio(next === layout.aspect_ratio ? null : next)}
            choices={layout.aspect_ratios.map((value) => ({ value, label: value }))}
          />
        </Field>
      )}
      {layout.texts.map(({ id, label, value, max_length }) => (
        <Field key={id} label={label}>
          <Input
            value={texts[id] ?? value}
            maxLength={max_length}
            autoComplete="off"
            onChange={(event) => setTexts({ ...texts, [id]: event.target.value })}
          />
        </Field>
      ))}
      {layout.images.map(({ id }) => (
        <ImageChoice key={id} onChoose={(assetId) => setImages({ ...images, [id]: assetId })} />
      ))}
      <Button type="submit" size="sm" busy={busy} disabled={!isChanged} className="self-start">
        {t('make')}
      </Button>
      {busy && (
        <p role="status" className="text-muted text-sm">
          {t('making')}
        </p>
      )}
    </form>
  )
}

function ImageChoice({ onChoose }: { onChoose: (assetId: string) => void }) {
  const { t } = useTranslation('change')
  const input = useRef<HTMLInputElement>(null)
  const [name, setName] = useState<string | null>(null)
  const [uploading, setUploading] = useState(false)

  async function choose(file: File) {
    setUploading(true)
    try {
      const asset = await uploadAsset(file)
      setName(asset.name)
      onChoose(asset.id)
    } catch (error) {
      toastError(t('uploadFailed'), error)
    } finally {
      setUploading(false)
    }
  }
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-[550] text-sm">{t('image')}</p>
      <div className="flex flex-wrap items-center gap-2.5">
        <Button size="sm" busy={uploading} onClick={() => input.current?.click()}>
          {t('replace')}
        </Button>
        <FileInput
          ref={input}
          label={t('image')}
          accept="image/*"
          onFiles={([file]) => file && void choose(file)}
        />
        {name && <p className="wrap-anywhere text-muted text-xs">{t('replacement', { name })}</p>}
      </div>
    </div>
  )
}
