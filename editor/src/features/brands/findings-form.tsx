import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Checkbox } from '@/components/checkbox'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { EmptyState } from '@/components/surfaces'
import type { BrandContent } from '@/lib/api/brand-edits'
import type { BrandFinding, BrandImport } from '@/lib/api/brand-imports'
import { suggestedOf, toggled } from './findings'

const GROUPS = [
  { title: 'name', fields: ['name', 'description'] },
  { title: 'color', fields: ['color'] },
  { title: 'font', fields: ['font', 'font_file'] },
  { title: 'logo', fields: ['logo'] },
  {
    title: 'voice',
    fields: ['tone', 'dos', 'donts', 'banned_words', 'sample_lines', 'languages', 'legal_line'],
  },
] as const

type FindingsFormProps = {
  found: BrandImport
  brand: BrandContent
  isNew: boolean
  busy: boolean
  onApprove: (base: BrandContent, approved: readonly BrandFinding[]) => void
  onBack: () => void
}

/** Every value that was found, with its place: each is taken only if it is ticked. */
export function FindingsForm({ found, brand, isNew, busy, onApprove, onBack }: FindingsFormProps) {
  const { t } = useTranslation('brands')
  const [ticked, setTicked] = useState(() =>
    suggestedOf(isNew ? found.findings : withoutName(found.findings)),
  )
  const [name, setName] = useState(brand.name)
  const [tried, setTried] = useState(false)
  const namedBy = [...ticked].find(({ field }) => field === 'name')
  const isNamed = !isNew || namedBy !== undefined || name.trim() !== ''
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (isNamed) onApprove({ ...brand, name: name.trim() || brand.name }, [...ticked])
  }
  if (found.findings.length === 0)
    return (
      <EmptyState title={t('import.nothing')} action={<Button onClick={onBack}>{t('import.other')}</Button>}>
        <Notes notes={found.notes} />
      </EmptyState>
    )
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      {GROUPS.map(({ title, fields }) => {
        const findings = found.findings.filter(({ field }) => fields.some((one) => one === field))
        return (
          findings.length > 0 && (
            <fieldset key={title} className="min-w-0">
              <legend className="mb-1 font-semibold">{t(`import.group.${title}`)}</legend>
              <ul className="grid gap-x-5 sm:grid-cols-2">
                {findings.map((finding, at) => (
                  <Row
                    // biome-ignore lint/suspicious/noArrayIndexKey: findings never move, and may be equal
                    key={at}
                    finding={finding}
                    checked={ticked.has(finding)}
                    onCheck={(checked) => setTicked((before) => toggled(before, finding, checked))}
                  />
                ))}
              </ul>
            </fieldset>
          )
        )
      })}
      {isNew && !namedBy && (
        <Field
          label={t('create.name')}
          error={tried && !isNamed ? t('create.nameRequired') : undefined}
          required
        >
          <Input value={name} maxLength={80} onChange={(event) => setName(event.target.value)} />
        </Field>
      )}
      <Notes notes={found.notes} />
      <div className="flex flex-wrap items-center justify-end gap-2.5">
        <span role="status" className="flex-1 text-muted text-sm">
          {t('import.ticked', { count: ticked.size })}
        </span>
        <Button variant="ghost" onClick={onBack} disabled={busy}>
          {t('import.other')}
        </Button>
        <Button type="submit" variant="primary" busy={busy} disabled={!isNew && ticked.size === 0}>
          {t(isNew ? 'create.submit' : 'import.add')}
        </Button>
      </div>
    </form>
  )
}

/** The name of an existing brand is not among the suggestions: it is changed only on purpose. */
function withoutName(findings: readonly BrandFinding[]): BrandFinding[] {
  return findings.filter(({ field }) => field !== 'name')
}

type RowProps = { finding: BrandFinding; checked: boolean; onCheck: (checked: boolean) => void }

function Row({ finding, checked, onCheck }: RowProps) {
  const { t } = useTranslation('brands')
  const id = useId()
  const kind = kindOf(finding)
  return (
    <li className="flex min-w-0 items-center gap-3 border-hairline border-t py-2.25">
      <Checkbox
        id={id}
        checked={checked}
        onCheckedChange={(next) => onCheck(next === true)}
        aria-describedby={`${id}-found`}
      />
      <label htmlFor={id} className="flex min-w-0 flex-1 items-center gap-3">
        <Sample finding={finding} />
        <span className="min-w-0">
          <span dir="auto" className="wrap-anywhere line-clamp-3 font-[550]">
            {finding.field === 'logo'
              ? t(`logo.${finding.role === 'dark' ? 'dark' : 'light'}`)
              : finding.value}
            {kind && <span className="font-normal text-muted">{` ${t(kind)}`}</span>}
          </span>
          <span id={`${id}-found`} className="wrap-anywhere block text-muted text-xs">
            {finding.found}
          </span>
        </span>
      </label>
    </li>
  )
}

/** What the value is for, if its group does not say that. */
function kindOf({ field, role }: BrandFinding) {
  if (field === 'color') return `colors.role.${(role ?? 'other') as 'primary'}` as const
  if (field === 'font') return role === 'headline' ? 'fonts.headline' : 'fonts.text'
  if (field === 'font_file') return 'fonts.file'
  if (field === 'tone' || field === 'dos' || field === 'donts') return `voice.${field}` as const
  if (field === 'banned_words') return 'voice.banned'
  if (field === 'languages') return 'voice.languages'
  if (field === 'legal_line') return 'legal.label'
  if (field === 'description') return 'description'
  return null
}

function Sample({ finding: { field, value } }: { finding: BrandFinding }) {
  if (field === 'color')
    return (
      <i
        aria-hidden
        className="size-9 flex-none rounded-s border border-ink/15"
        style={{ background: value }}
      />
    )
  if (field === 'logo')
    return (
      <span className="grid h-12 w-24 flex-none place-items-center rounded-s border border-hairline bg-[repeating-conic-gradient(#d8d4ca_0_25%,#ffffff_0_50%)] bg-size-[12px_12px] p-1">
        <img src={value} alt="" className="max-h-9 max-w-20 object-contain" />
      </span>
    )
  return null
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <ul className="wrap-anywhere grid gap-1 text-muted text-xs">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
