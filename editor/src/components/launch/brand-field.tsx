import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../button'
import { Field } from '../field'
import { IconButton } from '../icon-button'
import { Input } from '../input'
import { Textarea } from '../textarea'
import { MediaField } from './media-field'

type Brand = {
  $type: 'Brand'
  brand_name: string
  description: string
  palette: string[]
  fonts: string[]
  logo: unknown
  tone: string
  banned_words: string[]
  example_lines: string[]
}

const BLANK: Brand = {
  $type: 'Brand',
  brand_name: '',
  description: '',
  palette: [],
  fonts: [],
  logo: null,
  tone: '',
  banned_words: [],
  example_lines: [],
}

type BrandFieldProps = {
  value: unknown
  /** The agent's own brand: what is changed is changed from there. */
  own: unknown
  onChange: (value: unknown) => void
}

/** A brand for this launch in place of the agent's own. */
export function BrandField({ value, own, onChange }: BrandFieldProps) {
  const { t } = useTranslation('launch')
  if (typeof value !== 'object' || value === null) {
    const start = { ...BLANK, ...(own as Partial<Brand> | undefined) }
    return (
      <div className="flex flex-wrap items-center gap-3">
        {start.brand_name && <Swatches brand={start} />}
        <Button size="sm" onClick={() => onChange(start)}>
          <Plus aria-hidden />
          {t('brand.use')}
        </Button>
      </div>
    )
  }
  const brand: Brand = { ...BLANK, ...(value as Partial<Brand>) }
  const change = (part: Partial<Brand>) => onChange({ ...brand, ...part })
  return (
    <div className="grid gap-3.5 rounded-m border border-hairline bg-paper p-3.5 sm:grid-cols-2">
      <BrandWords brand={brand} change={change} />
      <Palette colours={brand.palette} onChange={(palette) => change({ palette })} />
      <div>
        <p className="mb-1.5 font-[550] text-sm">{t('brand.logo')}</p>
        <MediaField
          field={{ title: t('brand.logo'), valueType: 'Image', list: false }}
          value={brand.logo}
          onChange={(logo) => change({ logo })}
        />
      </div>
      <div className="flex justify-end sm:col-span-2">
        <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
          {t('form.remove')}
        </Button>
      </div>
    </div>
  )
}

function Swatches({ brand }: { brand: Brand }) {
  const { t } = useTranslation('launch')
  return (
    <span className="flex items-center gap-2.5">
      <span aria-hidden className="flex overflow-hidden rounded-pill border border-hairline">
        {brand.palette.map((colour) => (
          <i key={colour} className="size-4.5" style={{ background: colour }} />
        ))}
      </span>
      {t('brand.own', { name: brand.brand_name })}
    </span>
  )
}

type PartProps = { brand: Brand; change: (part: Partial<Brand>) => void }

function BrandWords({ brand, change }: PartProps) {
  const { t } = useTranslation('launch')
  const commas = (text: string) => text.split(',').map((word) => word.trimStart())
  return (
    <>
      <Field label={t('brand.brand_name')}>
        <Input value={brand.brand_name} onChange={(event) => change({ brand_name: event.target.value })} />
      </Field>
      <Field label={t('brand.tone')}>
        <Input value={brand.tone} onChange={(event) => change({ tone: event.target.value })} />
      </Field>
      <Field label={t('brand.description')} className="sm:col-span-2">
        <Textarea
          rows={2}
          value={brand.description}
          onChange={(event) => change({ description: event.target.value })}
        />
      </Field>
      <Field label={t('brand.fonts')} help={t('brand.comma')}>
        <Input
          value={brand.fonts.join(', ')}
          onChange={(event) => change({ fonts: commas(event.target.value) })}
        />
      </Field>
      <Field label={t('brand.banned_words')} help={t('brand.comma')}>
        <Input
          value={brand.banned_words.join(', ')}
          onChange={(event) => change({ banned_words: commas(event.target.value) })}
        />
      </Field>
      <Field label={t('brand.example_lines')} help={t('brand.perLine')} className="sm:col-span-2">
        <Textarea
          rows={2}
          value={brand.example_lines.join('\n')}
          onChange={(event) => change({ example_lines: event.target.value.split('\n') })}
        />
      </Field>
    </>
  )
}

const MOST_COLOURS = 8

function Palette({ colours, onChange }: { colours: string[]; onChange: (colours: string[]) => void }) {
  const { t } = useTranslation('launch')
  return (
    <div>
      <p className="mb-1.5 font-[550] text-sm">{t('brand.palette')}</p>
      <div className="flex flex-wrap gap-2.5">
        {colours.map((colour, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: colours have no identity but their place.
          <span key={index} className="relative">
            <input
              type="color"
              aria-label={t('brand.colour', { number: index + 1 })}
              value={colour}
              onChange={(event) => onChange(colours.with(index, event.target.value))}
              className="size-9 cursor-pointer rounded-s border border-hairline-strong bg-surface p-0.5"
            />
            <IconButton
              size="sm"
              variant="primary"
              tooltip={false}
              label={t('brand.removeColour', { number: index + 1 })}
              icon={<X className="size-2.5!" />}
              className="-top-1.5 -right-1.5 absolute h-4.5 w-4.5"
              onClick={() => onChange(colours.toSpliced(index, 1))}
            />
          </span>
        ))}
        {colours.length < MOST_COLOURS && (
          <IconButton
            variant="quiet"
            label={t('brand.addColour')}
            icon={<Plus />}
            onClick={() => onChange([...colours, '#de4f2a'])}
          />
        )}
      </div>
    </div>
  )
}
