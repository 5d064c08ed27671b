import { ImageUp, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { FileInput } from '@/components/file-input'
import { IconButton } from '@/components/icon-button'
import { Input } from '@/components/input'
import type { Asset } from '@/lib/api/assets'
import type { BrandContent, BrandDetail } from '@/lib/api/brand-edits'
import { uploadAsset } from '@/lib/api/uploads'
import { classes } from '@/lib/classes'
import { toastError } from '@/lib/toasts'
import { readableOn } from './contrast'
import { Section } from './section'

type Logo = NonNullable<BrandContent['logo']>
type Ground = 'light' | 'dark'

type LogoSectionProps = {
  brand: BrandDetail
  logo: Logo
  colors: readonly string[]
  onChange: (logo: Logo) => void
  readOnly: boolean
}

/** The logo on light and on dark backgrounds, with the room that it needs. */
export function LogoSection({ brand, logo, colors, onChange, readOnly }: LogoSectionProps) {
  const { t } = useTranslation('brands')
  // Uploads are shown before the brand is read again.
  const [uploaded, setUploaded] = useState<Record<string, Asset>>({})
  const known = [brand.logo, brand.logo_dark, ...Object.values(uploaded)]
  const assetOf = (id: string | null | undefined) => known.find((asset) => asset && asset.id === id) ?? null
  const dark = colors.find((color) => readableOn(color, []) === '#ffffff') ?? '#1d1a16'
  const light = colors.find((color) => readableOn(color, []) !== '#ffffff') ?? '#ffffff'
  return (
    <Section title={t('logo.title')}>
      <div className="grid gap-3 sm:grid-cols-2">
        {(['light', 'dark'] as const).map((ground) => (
          <LogoSlot
            key={ground}
            ground={ground}
            color={ground === 'light' ? light : dark}
            asset={assetOf(logo[ground])}
            missing={Boolean(logo[ground]) && brand.logo_missing.includes(ground) && !assetOf(logo[ground])}
            clearSpace={logo.clear_space ?? 0.5}
            readOnly={readOnly}
            onUploaded={(asset) => {
              setUploaded((before) => ({ ...before, [asset.id]: asset }))
              onChange({ ...logo, [ground]: asset.id })
            }}
            onRemove={() => onChange({ ...logo, [ground]: null })}
          />
        ))}
      </div>
      {!readOnly && (
        <div className="mt-3.5 flex flex-wrap items-end gap-x-5 gap-y-3">
          <Measure
            label={t('logo.clearSpace')}
            unit={t('logo.clearSpaceUnit')}
            value={logo.clear_space ?? 0.5}
            min={0}
            max={3}
            step={0.1}
            onChange={(clear_space) => onChange({ ...logo, clear_space })}
          />
          <Measure
            label={t('logo.minWidth')}
            unit={t('logo.minWidthUnit')}
            value={logo.min_width ?? 96}
            min={1}
            max={4000}
            step={1}
            onChange={(min_width) => onChange({ ...logo, min_width: Math.round(min_width) })}
          />
          <p className="flex-1 basis-48 text-muted text-xs">{t('logo.help')}</p>
        </div>
      )}
    </Section>
  )
}

type LogoSlotProps = {
  ground: Ground
  color: string
  asset: Asset | null
  missing: boolean
  clearSpace: number
  readOnly: boolean
  onUploaded: (asset: Asset) => void
  onRemove: () => void
}

function LogoSlot({
  ground,
  color,
  asset,
  missing,
  clearSpace,
  readOnly,
  onUploaded,
  onRemove,
}: LogoSlotProps) {
  const { t } = useTranslation('brands')
  const chooser = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const key = ground === 'light' ? 'Light' : 'Dark'
  const label = t(asset ? `logo.replace${key}` : `logo.add${key}`)
  async function send(file: File | undefined) {
    if (!file) return
    setBusy(true)
    try {
      onUploaded(await uploadAsset(file))
    } catch (error) {
      toastError(t('logo.failed'), error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="relative min-w-0">
      <button
        type="button"
        disabled={readOnly}
        aria-busy={busy || undefined}
        aria-label={label}
        onClick={() => chooser.current?.click()}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void send(event.dataTransfer.files[0])
        }}
        className={classes(
          'grid h-33 w-full place-items-center overflow-hidden rounded-m border',
          asset ? 'border-transparent' : 'border-hairline-strong border-dashed',
        )}
        style={{ background: color, color: readableOn(color, []) }}
      >
        {asset ? (
          <span
            className="border border-current/40 border-dashed"
            style={{ padding: Math.min(40, 40 * clearSpace) }}
          >
            <img src={asset.url} alt="" className="max-h-10 max-w-40 object-contain" />
          </span>
        ) : (
          <span className="flex items-center gap-2 font-[550] text-sm">
            {!readOnly && <ImageUp aria-hidden className="size-4" />}
            {missing ? t('logo.missing') : readOnly ? '' : t('logo.add')}
          </span>
        )}
      </button>
      <span className="mt-1.5 block text-muted text-xs">{t(`logo.${ground}`)}</span>
      {(asset || missing) && !readOnly && (
        <IconButton
          size="sm"
          variant="quiet"
          label={t(`logo.remove${key}`)}
          icon={<X />}
          onClick={onRemove}
          className="absolute top-2 right-2"
        />
      )}
      <FileInput
        ref={chooser}
        label={label}
        accept="image/png,image/jpeg,image/webp"
        onFiles={([file]) => void send(file)}
      />
    </div>
  )
}

type MeasureProps = {
  label: string
  unit: string
  value: number
  min: number
  max: number
  step: number
  onChange: (value: number) => void
}

function Measure({ label, unit, value, min, max, step, onChange }: MeasureProps) {
  return (
    <Field label={`${label} (${unit})`} className="w-44">
      <Input
        type="number"
        inputMode="decimal"
        defaultValue={value}
        min={min}
        max={max}
        step={step}
        onChange={(event) => {
          const next = event.target.valueAsNumber
          if (next >= min && next <= max) onChange(next)
        }}
        className="h-8.5 text-sm"
      />
    </Field>
  )
}
