import { useMutation } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field, FormError } from '@/components/field'
import { FileInput } from '@/components/file-input'
import { Input } from '@/components/input'
import { Skeleton } from '@/components/surfaces'
import type { BrandContent } from '@/lib/api/brand-edits'
import {
  type BrandFinding,
  type BrandImport,
  readBrandFiles,
  readBrandWebsite,
} from '@/lib/api/brand-imports'
import { messageOf } from '@/lib/api/error'
import { uploadAsset } from '@/lib/api/uploads'
import { useExclusiveMutate } from '@/lib/attempt'
import { classes } from '@/lib/classes'
import { logoFile, withFindings } from './findings'
import { FindingsForm } from './findings-form'
import type { ImportSource } from './import-sources'

const ACCEPT: Record<Exclude<ImportSource, 'website'>, string> = {
  pdf: 'application/pdf,.pdf',
  images: 'image/png,image/jpeg,image/webp,image/svg+xml',
  file: '.zip,application/zip',
}

type ImportDialogProps = {
  source: ImportSource
  /** The brand that takes the approved values; a new one has its name only. */
  brand: BrandContent
  isNew: boolean
  /** Saves the brand; rejects if that fails. */
  onApprove: (content: BrandContent) => Promise<unknown>
  onClose: () => void
}

/** Reads a brand from elsewhere and shows what was found; only what is ticked is taken. */
export default function ImportDialog({ source, brand, isNew, onApprove, onClose }: ImportDialogProps) {
  const { t } = useTranslation('brands')
  const [found, setFound] = useState<BrandImport | null>(null)
  const stopped = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    stopped.current = controller
    return () => controller.abort()
  }, [])
  const reading = useMutation({
    mutationFn: (given: string | readonly File[]) =>
      typeof given === 'string'
        ? readBrandWebsite(given, stopped.current.signal)
        : readBrandFiles(given, stopped.current.signal),
    onSuccess: setFound,
  })
  // A second try has the same logos, so that it is the same request.
  const uploaded = useRef(new Map<unknown, string>())
  const saving = useMutation({
    mutationFn: async ({ base, approved }: { base: BrandContent; approved: readonly BrandFinding[] }) => {
      for (const finding of approved.filter(({ field }) => field === 'logo')) {
        if (uploaded.current.has(finding.value)) continue
        const { id } = await uploadAsset(logoFile(finding.value, `${base.name} logo`))
        uploaded.current.set(finding.value, id)
      }
      const logos = new Map(approved.map((finding) => [finding, uploaded.current.get(finding.value) ?? '']))
      await onApprove(withFindings(base, approved, logos))
    },
    // A new brand has opened its own page.
    onSuccess: () => !isNew && onClose(),
  })
  const read = useExclusiveMutate(reading)
  const save = useExclusiveMutate(saving)
  const error = reading.error ?? saving.error
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={t(`import.from.${source}`)}
      description={found ? t('import.reviewHelp', { source: found.source }) : t(`import.help.${source}`)}
    >
      <FormError title={error && t(found ? 'import.notSaved' : 'import.failed')}>
        {error && messageOf(error)}
      </FormError>
      {reading.isPending ? (
        <Reading source={source} />
      ) : found ? (
        <FindingsForm
          found={found}
          brand={brand}
          isNew={isNew}
          busy={saving.isPending}
          onApprove={(base, approved) => void save({ base, approved })}
          onBack={() => {
            setFound(null)
            reading.reset()
            saving.reset()
          }}
        />
      ) : source === 'website' ? (
        <WebsiteForm initial={reading.variables as string | undefined} onRead={(url) => void read(url)} />
      ) : (
        <FileForm source={source} onRead={(files) => void read(files)} />
      )}
    </Dialog>
  )
}

function Reading({ source }: { source: ImportSource }) {
  const { t } = useTranslation('brands')
  return (
    <div role="status" aria-busy className="grid gap-3">
      <p className="text-muted">{t(source === 'website' ? 'import.readingSite' : 'import.readingFile')}</p>
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </div>
  )
}

function WebsiteForm({ initial, onRead }: { initial: string | undefined; onRead: (url: string) => void }) {
  const { t } = useTranslation('brands')
  const [url, setUrl] = useState(initial ?? '')
  const [tried, setTried] = useState(false)
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (url.trim().length >= 3) onRead(url.trim())
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field
        label={t('import.url')}
        error={tried && url.trim().length < 3 ? t('import.urlRequired') : undefined}
        required
      >
        <Input
          autoFocus
          type="url"
          inputMode="url"
          autoComplete="url"
          maxLength={2000}
          placeholder="https://example.com"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <Button type="submit" variant="primary" className="justify-self-end">
        {t('import.read')}
      </Button>
    </form>
  )
}

type FileFormProps = { source: Exclude<ImportSource, 'website'>; onRead: (files: File[]) => void }

function FileForm({ source, onRead }: FileFormProps) {
  const { t } = useTranslation('brands')
  const chooser = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const isMany = source === 'images'
  const read = (files: File[]) => files.length > 0 && onRead(files)
  return (
    <>
      <button
        type="button"
        onClick={() => chooser.current?.click()}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          event.stopPropagation()
          setOver(false)
          read([...event.dataTransfer.files])
        }}
        className={classes(
          'grid h-40 place-items-center rounded-m border border-hairline-strong border-dashed hover:bg-sunken',
          over && 'bg-sunken',
        )}
      >
        <span className="grid justify-items-center gap-2">
          <FileUp aria-hidden className="size-6 text-muted" />
          <b className="font-semibold">{t(isMany ? 'import.chooseFiles' : 'import.chooseFile')}</b>
          <span className="text-muted text-sm">{t('import.drop')}</span>
        </span>
      </button>
      <FileInput
        ref={chooser}
        label={t(isMany ? 'import.chooseFiles' : 'import.chooseFile')}
        accept={ACCEPT[source]}
        multiple={isMany}
        onFiles={read}
      />
    </>
  )
}
