import { useMutation, useQuery } from '@tanstack/react-query'
import { Upload, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { FileInput } from '@/components/file-input'
import { IconButton } from '@/components/icon-button'
import { Select } from '@/components/select'
import type { BrandContent, BrandDetail } from '@/lib/api/brand-edits'
import { type BrandFontFile, uploadBrandFont } from '@/lib/api/brand-fonts'
import { optionsQuery } from '@/lib/api/nodes'
import { classes } from '@/lib/classes'
import { toastError } from '@/lib/toasts'
import { Section } from './section'
import { cssFamilyOf, useFontFaces } from './use-font-faces'

type Font = NonNullable<BrandContent['fonts']>[number]
type FontsPart = Pick<BrandContent, 'fonts' | 'font_files'>
type FontsSectionProps = {
  brand: BrandDetail
  content: BrandContent
  onChange: (part: FontsPart) => void
  readOnly: boolean
}

const NONE = ' '
const ROLES = ['headline', 'text'] as const
const MAX_FILES = 12
const LETTERS = 'Aa Bb Gg 123'

/** The font families for headlines and for text: those that the server has, and files of one's own. */
export function FontsSection({ brand, content, onChange, readOnly }: FontsSectionProps) {
  const { t } = useTranslation('brands')
  const { data } = useQuery(optionsQuery('brand_system', 'fonts', ''))
  // Uploads are shown before the brand is read again.
  const [urls, setUrls] = useState<Record<string, string>>({})
  const fonts = content.fonts ?? []
  const files = content.font_files ?? []
  const loaded = useFontFaces(files, { ...brand.font_urls, ...urls })
  const names = new Set([
    ...(data?.items ?? []).map(({ value }) => String(value)),
    ...files.map(({ family }) => family),
    ...fonts.map(({ family }) => family),
  ])
  const samples = new Map((data?.items ?? []).map(({ value, sample }) => [value, sample]))
  const choices = [
    { value: NONE, label: t('fonts.none') },
    ...[...names].toSorted().map((value) => ({
      value,
      label: value,
      sample: <FontSample family={value} url={samples.get(value)} loaded={loaded} />,
    })),
  ]
  const sample = content.voice?.sample_lines?.[0] || content.name
  return (
    <Section title={t('fonts.title')}>
      <div className="grid gap-x-7 gap-y-4 sm:grid-cols-2">
        {ROLES.map((role) => {
          const family = fonts.find((font) => (font.role ?? 'headline') === role)?.family
          return (
            <div key={role} className="min-w-0">
              <Field label={t(`fonts.${role}`)}>
                <Select
                  value={family ?? NONE}
                  disabled={readOnly}
                  choices={choices}
                  onValueChange={(next) => onChange({ fonts: withFamily(fonts, role, next) })}
                />
              </Field>
              {family && !loaded.has(family) && samples.get(family) && (
                <img
                  src={samples.get(family) ?? ''}
                  alt={t('fonts.sample', { family })}
                  className={classes('mt-2.5 max-w-full dark:invert', role === 'headline' ? 'h-10' : 'h-7')}
                />
              )}
              {family && loaded.has(family) && (
                <p
                  dir="auto"
                  lang=""
                  className={
                    role === 'headline'
                      ? 'mt-2.5 line-clamp-2 text-[28px] leading-[1.2]'
                      : 'mt-2.5 line-clamp-3 text-body'
                  }
                  style={{ fontFamily: `"${cssFamilyOf(family)}"`, fontWeight: weightOf(files, family) }}
                >
                  {sample}
                </p>
              )}
            </div>
          )
        })}
      </div>
      {!readOnly && (
        <OwnFonts
          files={files}
          onAdd={(file, url) => {
            setUrls((before) => ({ ...before, [file.asset_id]: url }))
            const isFirst = !fonts.some((font) => (font.role ?? 'headline') === 'headline')
            const kept = files.filter(({ asset_id }) => asset_id !== file.asset_id)
            onChange({
              font_files: [...kept, file],
              ...(isFirst && { fonts: withFamily(fonts, 'headline', file.family) }),
            })
          }}
          onRemove={(file) => {
            const kept = files.filter((other) => other !== file)
            const isGone = !kept.some(({ family }) => family === file.family)
            onChange({
              font_files: kept,
              ...(isGone && { fonts: fonts.filter(({ family }) => family !== file.family) }),
            })
          }}
        />
      )}
    </Section>
  )
}

type FontSampleProps = {
  family: string
  url: string | null | undefined
  loaded: ReadonlySet<string>
}

/** Some letters of a family: the browser sets a file of one's own, other families are images. */
function FontSample({ family, url, loaded }: FontSampleProps) {
  if (loaded.has(family))
    return (
      <span dir="auto" className="truncate text-lg" style={{ fontFamily: `"${cssFamilyOf(family)}"` }}>
        {LETTERS}
      </span>
    )
  return url ? <img src={url} alt="" className="h-6 w-auto max-w-44 object-contain dark:invert" /> : null
}

type OwnFontsProps = {
  files: readonly BrandFontFile[]
  onAdd: (file: BrandFontFile, url: string) => void
  onRemove: (file: BrandFontFile) => void
}

function OwnFonts({ files, onAdd, onRemove }: OwnFontsProps) {
  const { t } = useTranslation('brands')
  const chooser = useRef<HTMLInputElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const sending = useMutation({
    mutationFn: uploadBrandFont,
    onSuccess: ({ file, url }) => onAdd(file, url),
    onError: (error) => toastError(t('fonts.failed'), error),
  })
  return (
    <div className="mt-4.5 border-hairline border-t pt-3.5">
      {files.length > 0 && (
        <ul aria-label={t('fonts.own')} className="mb-3 divide-y divide-hairline">
          {files.map((file) => {
            const name = nameOf(file, t('fonts.italic'))
            return (
              <li key={file.asset_id} className="flex min-w-0 items-center gap-3 py-1.5 text-sm">
                <span
                  dir="auto"
                  className="min-w-0 flex-1 truncate"
                  style={{
                    fontFamily: `"${cssFamilyOf(file.family)}"`,
                    fontWeight: file.weight ?? 400,
                    fontStyle: file.italic ? 'italic' : 'normal',
                  }}
                >
                  {name}
                </span>
                <IconButton
                  size="sm"
                  variant="quiet"
                  label={t('fonts.remove', { name })}
                  icon={<X />}
                  onClick={() => {
                    onRemove(file)
                    opener.current?.focus()
                  }}
                />
              </li>
            )
          })}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          ref={opener}
          size="sm"
          busy={sending.isPending}
          disabled={files.length >= MAX_FILES}
          onClick={() => chooser.current?.click()}
        >
          <Upload aria-hidden />
          {t('fonts.add')}
        </Button>
        <p className="flex-1 basis-56 text-muted text-xs">{t('fonts.help')}</p>
      </div>
      <FileInput
        ref={chooser}
        label={t('fonts.add')}
        accept=".ttf,.otf,.woff2,font/ttf,font/otf,font/woff2"
        onFiles={([file]) => file && sending.mutate(file)}
      />
    </div>
  )
}

function withFamily(fonts: readonly Font[], role: Font['role'], family: string): Font[] {
  const others = fonts.filter((font) => (font.role ?? 'headline') !== role)
  return family === NONE ? others : [...others, { family, role }]
}

/** The weight of a family's file that is nearest to regular. */
function weightOf(files: readonly BrandFontFile[], family: string): number {
  const weights = files.filter((file) => file.family === family).map(({ weight }) => weight ?? 400)
  return weights.toSorted((one, other) => Math.abs(one - 400) - Math.abs(other - 400))[0] ?? 400
}

function nameOf({ family, weight, italic }: BrandFontFile, styleName: string): string {
  return [family, weight ?? 400, italic ? styleName : ''].filter(Boolean).join(' ')
}
