import { Globe, Lock, Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CATEGORIES, type Category } from '@/lib/agents/categories'
import { checkFiles } from '@/lib/launch/files'
import { Button } from '../button'
import { Dialog } from '../dialog'
import { Field } from '../field'
import { FileInput } from '../file-input'
import { IconButton } from '../icon-button'
import { ImageCrop } from '../image-crop'
import { Input, Textarea } from '../input'
import { Select } from '../select'
import { AgentCover } from './agent-cover'
import { MarkingFields } from './marking-fields'
import { TemplateField } from './template-field'

export type AgentFacts = {
  name: string
  description: string
  category: Category
  visibility: 'private' | 'public'
  watermark: boolean
  mark_exports: boolean
}

export const NEW_AGENT: AgentFacts = {
  name: '',
  description: '',
  category: 'uncategorized',
  visibility: 'private',
  watermark: false,
  mark_exports: false,
}

type AgentDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  action: string
  start: AgentFacts
  /** Determines the gradient that is shown without an image. */
  seed: string
  avatarUrl?: string | null | undefined
  busy?: boolean
  /** An error message of the server, shown above the actions. */
  error?: string | undefined
  /** Whether the agent is new and may begin with the nodes of another one. */
  isNew?: boolean
  /**
   * Rejects if the agent was not saved; the dialog shows `error`. `template` is the id of the agent whose nodes it
   * begins with.
   */
  onSubmit: (facts: AgentFacts, avatar: File | null, template: string | null) => Promise<void>
}

const MAX_NAME = 120

/** Form for name, description, category, visibility, marks and cover of a new or existing agent. */
export function AgentDialog({ open, onOpenChange, title, action, busy, error, ...rest }: AgentDialogProps) {
  const { t } = useTranslation(['agents', 'common'])
  const [isChanged, setChanged] = useState(false)
  const [asking, setAsking] = useState(false)
  const [wasOpen, setWasOpen] = useState(open)
  if (open !== wasOpen) {
    setWasOpen(open)
    setChanged(false)
    setAsking(false)
  }
  const leave = () => (isChanged ? setAsking(!asking) : onOpenChange(false))
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : leave())}
      title={title}
      footer={
        asking ? (
          <>
            <p role="alert" className="mr-auto">
              {t('form.discardTitle')}
            </p>
            <Button variant="danger" onClick={() => onOpenChange(false)}>
              {t('form.discard')}
            </Button>
            <Button autoFocus onClick={() => setAsking(false)}>
              {t('form.keepEditing')}
            </Button>
          </>
        ) : (
          <>
            {error && (
              <p role="alert" className="mr-auto text-[12.5px] text-madder-text">
                {error}
              </p>
            )}
            <Button variant="ghost" onClick={() => onOpenChange(false)}>
              {t('common:cancel')}
            </Button>
            <Button variant="primary" type="submit" form="agent-facts" busy={busy ?? false}>
              {action}
            </Button>
          </>
        )
      }
    >
      {open && <AgentForm {...rest} onChange={() => setChanged(true)} />}
    </Dialog>
  )
}

type AgentFormProps = Pick<AgentDialogProps, 'start' | 'seed' | 'avatarUrl' | 'isNew' | 'onSubmit'> & {
  onChange: () => void
}

function AgentForm({ start, seed, avatarUrl, isNew, onSubmit, onChange }: AgentFormProps) {
  const { t } = useTranslation(['agents', 'common'])
  const [facts, setFacts] = useState(start)
  const [avatar, setAvatar] = useState<File | null>(null)
  const [template, setTemplate] = useState<string | null>(null)
  const [tried, setTried] = useState(false)
  const named = facts.name.trim().length > 0
  function change(part: Partial<AgentFacts>) {
    setFacts((known) => ({ ...known, ...part }))
    onChange()
  }
  return (
    <form
      id="agent-facts"
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (named) onSubmit({ ...facts, name: facts.name.trim() }, avatar, template).catch(() => undefined)
      }}
    >
      <div className="flex flex-col gap-4 sm:flex-row sm:gap-4.5">
        <CoverField
          seed={seed}
          url={avatarUrl}
          onPick={(file) => {
            setAvatar(file)
            onChange()
          }}
        />
        <div className="flex min-w-0 flex-1 flex-col gap-2.5">
          <Field label={t('form.name')} required error={tried && !named ? t('form.nameMissing') : undefined}>
            <Input
              autoFocus
              value={facts.name}
              maxLength={MAX_NAME}
              onChange={(event) => change({ name: event.target.value })}
            />
          </Field>
          <Field label={t('form.description')}>
            <Textarea
              rows={2}
              className="min-h-16 resize-none"
              value={facts.description}
              maxLength={500}
              onChange={(event) => change({ description: event.target.value })}
            />
          </Field>
        </div>
      </div>
      {isNew && (
        <TemplateField
          value={template}
          onChange={(chosen) => {
            setTemplate(chosen?.id ?? null)
            onChange()
          }}
        />
      )}
      <div className="grid gap-3.5 sm:grid-cols-2">
        <Field label={t('form.category')}>
          <Select
            value={facts.category}
            onValueChange={(category) => change({ category })}
            choices={CATEGORIES.map((value) => ({ value, label: t(`common:category.${value}`) }))}
          />
        </Field>
        <Field label={t('form.visibility')} help={t(`visibilityHelp.${facts.visibility}`)}>
          <Select
            value={facts.visibility}
            onValueChange={(visibility) => change({ visibility })}
            choices={[
              {
                value: 'private',
                label: t('common:visibility.private'),
                icon: <Lock className="text-muted" />,
              },
              {
                value: 'public',
                label: t('common:visibility.public'),
                icon: <Globe className="text-muted" />,
              },
            ]}
          />
        </Field>
      </div>
      <MarkingFields facts={facts} onChange={change} />
    </form>
  )
}

type CoverFieldProps = {
  seed: string
  url: string | null | undefined
  onPick: (file: File) => void
}

function CoverField({ seed, url, onPick }: CoverFieldProps): ReactNode {
  const { t } = useTranslation('agents')
  const chooser = useRef<HTMLInputElement>(null)
  const [raw, setRaw] = useState<File | null>(null)
  const [picked, setPicked] = useState<string | null>(null)
  const [bad, setBad] = useState(false)
  useEffect(() => () => (picked ? URL.revokeObjectURL(picked) : undefined), [picked])

  function choose(files: readonly File[]) {
    const { accepted } = checkFiles(files)
    setBad(accepted.length === 0)
    setRaw(accepted[0] ?? null)
  }

  return (
    <div className="flex flex-none flex-col gap-2">
      <div className="relative size-26">
        <AgentCover src={picked ?? url} seed={seed} className="size-26 rounded-[24px]" />
        <IconButton
          size="sm"
          variant="quiet"
          label={t('form.cover')}
          icon={<Pencil />}
          className="-right-2 -bottom-2 absolute"
          onClick={() => chooser.current?.click()}
        />
        <FileInput
          ref={chooser}
          label={t('form.cover')}
          accept="image/png,image/jpeg,image/webp"
          onFiles={choose}
        />
      </div>
      {bad && (
        <p role="alert" className="w-26 text-madder-text text-xs">
          {t('form.coverInvalid')}
        </p>
      )}
      <ImageCrop
        file={raw}
        shape="rect"
        title={t('form.coverCrop')}
        onCancel={() => setRaw(null)}
        onUnreadable={() => {
          setRaw(null)
          setBad(true)
        }}
        onCrop={(file) => {
          setRaw(null)
          setPicked(URL.createObjectURL(file))
          onPick(file)
        }}
      />
    </div>
  )
}
