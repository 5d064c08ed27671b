import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field, FormError } from '@/components/field'
import { Input } from '@/components/input'
import { type BrandContent, createBrand } from '@/lib/api/brand-edits'
import { messageOf } from '@/lib/api/error'
import { currentUserQuery } from '@/lib/api/users'
import { useAttempt, useExclusiveMutate, wasRejected } from '@/lib/attempt'

type NewBrandDialogProps = { onClose: () => void }

/** Creates a brand from its name, main color, tone and language. */
export function NewBrandDialog({ onClose }: NewBrandDialogProps) {
  const { t } = useTranslation('brands')
  const navigate = useNavigate()
  const { data: user } = useQuery(currentUserQuery)
  const [typedName, setName] = useState<string | null>(null)
  const [color, setColor] = useState<string | null>(null)
  const [tone, setTone] = useState('')
  const [language, setLanguage] = useState(languageOfBrowser)
  const [tried, setTried] = useState(false)
  const name = typedName ?? user?.info?.company ?? ''
  const attempt = useAttempt()
  const creating = useMutation({
    mutationFn: () => {
      const content: BrandContent = {
        name: name.trim(),
        colors: color ? [{ hex: color, role: 'primary' }] : [],
        voice: { tone: wordsOf(tone), languages: wordsOf(language) },
      }
      return createBrand(content, attempt.keyOf(content))
    },
    onError: (error) => wasRejected(error) && attempt.done(),
    onSuccess: ({ id }) => navigate({ to: '/brands/$brandId', params: { brandId: id } }),
  })

  const create = useExclusiveMutate(creating)

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (name.trim()) void create()
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('create.title')}
      description={t('create.help')}
    >
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <FormError title={creating.isError ? t('create.failed') : null}>
          {creating.isError && messageOf(creating.error)}
        </FormError>
        <Field
          label={t('create.name')}
          error={tried && !name.trim() ? t('create.nameRequired') : undefined}
          required
        >
          <Input
            autoFocus
            value={name}
            maxLength={80}
            autoComplete="organization"
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-4">
          <Field label={t('create.color')}>
            <input
              type="color"
              value={color ?? '#d9d2c4'}
              onChange={(event) => setColor(event.target.value)}
              className="h-10 w-24 cursor-pointer appearance-none overflow-hidden rounded-field border border-hairline-strong bg-transparent p-0 [&::-webkit-color-swatch-wrapper]:p-0 [&::-webkit-color-swatch]:border-0"
            />
          </Field>
          <Field label={t('create.language')}>
            <Input value={language} maxLength={80} onChange={(event) => setLanguage(event.target.value)} />
          </Field>
        </div>
        <Field label={t('create.tone')}>
          <Input
            value={tone}
            maxLength={300}
            placeholder={t('create.tonePlaceholder')}
            onChange={(event) => setTone(event.target.value)}
          />
        </Field>
        <Button type="submit" variant="primary" busy={creating.isPending} className="justify-self-end">
          {t('create.submit')}
        </Button>
      </form>
    </Dialog>
  )
}

/** The words between commas, each short enough for the server. */
export function wordsOf(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((word) => word.trim().slice(0, 80))
    .filter(Boolean)
}

/** The name of the browser's language, in that language. */
function languageOfBrowser(): string {
  const [code = 'en'] = navigator.language.split('-')
  try {
    const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? ''
    return name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
  } catch {
    return ''
  }
}
