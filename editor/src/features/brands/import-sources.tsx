import { ChevronRight, FileArchive, FileText, Globe, Images } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Section } from './section'

export const SOURCES = ['pdf', 'website', 'images', 'file'] as const
export type ImportSource = (typeof SOURCES)[number]

const ICONS = { pdf: FileText, website: Globe, images: Images, file: FileArchive }

type ImportSourcesProps = { onChoose: (source: ImportSource) => void }

/** The places that a new brand can be read from, beside the cards of the brands. */
export function ImportSources({ onChoose }: ImportSourcesProps) {
  const { t } = useTranslation('brands')
  return (
    <section
      aria-labelledby="bring-a-brand-in"
      className="min-w-0 rounded-l border border-hairline-strong border-dashed px-6 pt-5.5 pb-3"
    >
      <h2 id="bring-a-brand-in" className="font-serif text-[27px] leading-tight">
        {t('import.title')}
      </h2>
      <ul className="mt-3.5">
        {SOURCES.map((source) => {
          const Icon = ICONS[source]
          return (
            <li key={source} className="border-hairline border-t">
              <button
                type="button"
                onClick={() => onChoose(source)}
                className="flex w-full items-center gap-3.5 rounded-s py-3.5 text-left hover:bg-sunken"
              >
                <span className="grid size-10 flex-none place-items-center rounded-m bg-sunken">
                  <Icon aria-hidden className="size-4" />
                </span>
                <span className="min-w-0 flex-1">
                  <b className="block font-semibold">{t(`import.from.${source}`)}</b>
                  <span className="text-muted text-sm">{t(`import.help.${source}`)}</span>
                </span>
                <ChevronRight aria-hidden className="size-4 flex-none text-muted" />
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The same on the page of a brand, whose draft takes the values. */
export function ImportSection({ onChoose }: ImportSourcesProps) {
  const { t } = useTranslation('brands')
  return (
    <Section title={t('import.section')}>
      <p className="-mt-1.5 mb-3 text-muted text-sm">{t('import.sectionHelp')}</p>
      <div className="grid grid-cols-2 gap-2.5">
        {SOURCES.map((source) => {
          const Icon = ICONS[source]
          return (
            <Button key={source} onClick={() => onChoose(source)}>
              <Icon aria-hidden />
              {t(`import.short.${source}`)}
            </Button>
          )
        })}
      </div>
    </Section>
  )
}
