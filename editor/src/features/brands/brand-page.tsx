import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Copy, Pencil, Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { IconButton } from '@/components/icon-button'
import { Input, Textarea } from '@/components/input'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton } from '@/components/surfaces'
import { type BrandDetail, brandQuery, discardBrandDraft, refreshBrands } from '@/lib/api/brand-edits'
import { useTitle } from '@/lib/browser-hooks'
import { toastError, toastSuccess } from '@/lib/toasts'
import { BrandError } from './brand-error'
import { BrandStatus } from './brand-status'
import { FontsSection } from './fonts-section'
import { ImpactPanel } from './impact-panel'
import { ImportSection, type ImportSource } from './import-sources'
import { LogoSection } from './logo-section'
import { PaletteSection } from './palette-section'
import { PublishDialog } from './publish-dialog'
import { Section } from './section'
import { SketchSection } from './sketch-section'
import { useBrandActions } from './use-brand-actions'
import { type BrandEditor, useBrandEditor } from './use-brand-editor'
import { VersionsSection } from './versions-section'
import { VoiceSection } from './voice-section'

const ImportDialog = lazyPart(() => import('./import-dialog').then((file) => file.default))

const PAGE = 'mx-auto max-w-308 px-4 pt-5 pb-20 sm:px-6 xl:px-0'

/** One brand, edited in place. Agents see a change once it is published. */
export function BrandPage({ id }: { id: string }) {
  const { t } = useTranslation(['brands', 'common'])
  const { data: brand, error, refetch } = useQuery(brandQuery(id))
  useTitle(brand?.content.name ?? t('brands:title'))
  if (brand) return <LoadedBrand brand={brand} />
  return (
    <div className={PAGE}>
      <Crumb />
      {error ? (
        <BrandError error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy className="mt-2 grid gap-5">
          <Skeleton className="h-10 w-72" />
          <Skeleton className="h-52 rounded-l" />
          <Skeleton className="h-72 rounded-l" />
        </div>
      )}
    </div>
  )
}

function Crumb() {
  const { t } = useTranslation('brands')
  return (
    <p className="flex items-center gap-1 text-muted text-sm">
      <Link to="/brands" className="rounded-xs hover:text-ink">
        {t('title')}
      </Link>
      <ChevronRight aria-hidden className="size-3.5" />
    </p>
  )
}

function LoadedBrand({ brand }: { brand: BrandDetail }) {
  const { t } = useTranslation('brands')
  const editor = useBrandEditor(brand)
  const { content, change } = editor
  const readOnly = brand.example
  const [importing, setImporting] = useState<ImportSource | null>(null)
  const colors = content.colors ?? []
  return (
    <div className={PAGE}>
      <Crumb />
      <BrandHeader brand={brand} editor={editor} />
      {readOnly && <p className="mt-3 text-muted">{t('readOnly')}</p>}
      <div className="mt-5.5 grid items-start gap-5 lg:grid-cols-[minmax(0,1.63fr)_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-4.5">
          <Section title={t('description')}>
            {readOnly ? (
              <p>{content.description}</p>
            ) : (
              <Field label={t('description')} help={t('descriptionHelp')} hideLabel>
                <Textarea
                  rows={2}
                  maxLength={4000}
                  dir="auto"
                  value={content.description ?? ''}
                  onChange={(event) => change({ description: event.target.value })}
                />
              </Field>
            )}
          </Section>
          {!readOnly && (
            <LogoSection
              brand={brand}
              logo={content.logo ?? {}}
              colors={colors.map(({ hex }) => hex)}
              readOnly={readOnly}
              onChange={(logo) => change({ logo })}
            />
          )}
          <PaletteSection
            colors={colors}
            published={brand.published?.colors ?? null}
            readOnly={readOnly}
            onChange={(next) => change({ colors: next })}
          />
          <FontsSection brand={brand} content={content} readOnly={readOnly} onChange={change} />
          <VoiceSection
            voice={content.voice ?? {}}
            readOnly={readOnly}
            onChange={(voice) => change({ voice })}
          />
          {!readOnly && (
            <Section title={t('legal.title')}>
              <Field label={t('legal.label')} hideLabel>
                <Input
                  maxLength={300}
                  dir="auto"
                  value={content.legal_line ?? ''}
                  onChange={(event) => change({ legal_line: event.target.value })}
                />
              </Field>
            </Section>
          )}
        </div>
        <div className="grid min-w-0 gap-4.5">
          <SketchSection brand={brand} content={content} />
          <VersionsSection brand={brand} flush={editor.flush} />
          <ImpactPanel brand={brand} />
          {!readOnly && <ImportSection onChoose={setImporting} />}
        </div>
      </div>
      {importing && (
        <ImportDialog
          source={importing}
          brand={content}
          isNew={false}
          onApprove={async (next) => {
            change(next)
            await editor.flush()
            await refreshBrands()
          }}
          onClose={() => setImporting(null)}
        />
      )}
    </div>
  )
}

function BrandHeader({ brand, editor }: { brand: BrandDetail; editor: BrandEditor }) {
  const { t } = useTranslation('brands')
  const actions = useBrandActions()
  const [publishing, setPublishing] = useState(false)
  const next = (brand.version ?? 0) + 1
  const canPublish = brand.version === null || brand.changes > 0 || editor.saving !== 'saved'
  async function discard() {
    try {
      if (!(await editor.flush())) return
      await discardBrandDraft(brand.id)
      toastSuccess(t('discarded', { number: brand.version }))
    } catch (error) {
      toastError(t('failed'), error)
    }
  }
  async function publish() {
    if (!(await editor.flush())) return
    await refreshBrands()
    setPublishing(true)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
      <Title name={editor.content.name} editor={editor} readOnly={brand.example} />
      <span className="flex flex-wrap items-center gap-x-3 text-sm">
        <BrandStatus brand={brand} />
        {!brand.example && <SavingState editor={editor} />}
      </span>
      <span className="flex-1" />
      {brand.example ? (
        <Button variant="primary" onClick={() => actions.duplicate(brand)}>
          <Copy aria-hidden />
          {t('duplicate')}
        </Button>
      ) : (
        <>
          {brand.version !== null && brand.changes > 0 && (
            <Button variant="ghost" onClick={() => void discard()}>
              <Undo2 aria-hidden />
              {t('discard')}
            </Button>
          )}
          <Button variant="primary" disabled={!canPublish} onClick={() => void publish()}>
            {t('publish', { number: next })}
          </Button>
        </>
      )}
      {publishing && <PublishDialog brand={brand} onClose={() => setPublishing(false)} />}
    </div>
  )
}

function SavingState({ editor: { saving, problem } }: { editor: BrandEditor }) {
  const { t } = useTranslation('brands')
  return (
    <span role="status" className={saving === 'failed' ? 'text-madder-text' : 'text-muted'}>
      {saving === 'failed'
        ? problem
          ? t('invalid', { reason: problem })
          : t('notSaved')
        : t(saving === 'saving' ? 'saving' : 'saved')}
    </span>
  )
}

type TitleProps = { name: string; editor: BrandEditor; readOnly: boolean }

function Title({ name, editor, readOnly }: TitleProps) {
  const { t } = useTranslation('brands')
  const [typed, setTyped] = useState<string | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  function finish(keep: boolean) {
    const next = typed?.trim()
    if (keep && next && next !== name) editor.change({ name: next })
    setTyped(null)
    queueMicrotask(() => opener.current?.focus())
  }
  if (typed !== null) {
    return (
      <Input
        aria-label={t('create.name')}
        autoFocus
        value={typed}
        maxLength={80}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => finish(true)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish(true)
          if (event.key === 'Escape') finish(false)
        }}
        className="w-full max-w-100 font-serif text-[28px]"
      />
    )
  }
  return (
    <>
      <h1 dir="auto" className="min-w-0 break-words font-serif text-heading">
        {name}
      </h1>
      {!readOnly && (
        <IconButton
          ref={opener}
          size="sm"
          label={t('rename')}
          icon={<Pencil />}
          onClick={() => setTyped(name)}
        />
      )}
    </>
  )
}
