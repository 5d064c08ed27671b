import { useTranslation } from 'react-i18next'
import type { BrandContent, BrandDetail } from '@/lib/api/brand-edits'
import { swatchesOf } from '@/lib/launch/brands'
import { Dot } from './brand-status'
import { readableOn } from './contrast'
import { Section } from './section'

type SketchSectionProps = { brand: BrandDetail; content: BrandContent }

/** A sketch of the published version beside the draft. */
export function SketchSection({ brand, content }: SketchSectionProps) {
  const { t } = useTranslation('brands')
  const both = brand.published !== null && brand.version !== null && brand.changes > 0
  return (
    <Section title={t('sketch.title')}>
      <div className="grid grid-cols-2 gap-2.5">
        {both && brand.published && (
          <figure className="min-w-0">
            <figcaption className="mb-1.5 text-sm">
              <Dot tone="bg-viridian">{t('sketch.version', { number: brand.version })}</Dot>
            </figcaption>
            <Sketch content={brand.published} />
          </figure>
        )}
        <figure className={both ? 'min-w-0' : 'col-span-2 min-w-0'}>
          {both && (
            <figcaption className="mb-1.5 text-sm">
              <Dot tone="bg-ochre">{t('sketch.draft')}</Dot>
            </figcaption>
          )}
          <Sketch content={content} wide={!both} />
        </figure>
      </div>
      <p className="mt-3 text-muted text-xs">{t('sketch.help')}</p>
    </Section>
  )
}

function Sketch({ content, wide = false }: { content: BrandContent; wide?: boolean }) {
  const [ground = '#efebe1', second, ...others] = swatchesOf(content)
  const ink = readableOn(ground, second ? [second, ...others] : [])
  return (
    <div
      aria-hidden
      className={`flex flex-col justify-between overflow-hidden rounded-m p-4 ${wide ? 'aspect-16/9' : 'aspect-4/5'}`}
      style={{ background: ground, color: ink }}
    >
      <span className="line-clamp-4 text-balance pt-1 text-[22px] leading-[1.2] tracking-[-0.01em]">
        {content.voice?.sample_lines?.[0] ?? content.name}
      </span>
      <span className="flex items-end justify-between gap-2">
        <b className="min-w-0 truncate font-semibold text-sm">{content.name}</b>
        <span className="flex flex-none gap-1">
          {others.map((color) => (
            <i key={color} className="size-4 rounded-pill" style={{ background: color }} />
          ))}
        </span>
      </span>
    </div>
  )
}
