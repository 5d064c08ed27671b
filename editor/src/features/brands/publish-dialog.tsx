import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field, FormError } from '@/components/field'
import { Input } from '@/components/input'
import { type BrandDetail, publishBrand } from '@/lib/api/brand-edits'
import { messageOf } from '@/lib/api/error'
import { useAttempt, useExclusiveMutate, wasRejected } from '@/lib/attempt'
import { toastSuccess } from '@/lib/toasts'
import { Changes } from './versions-section'

type PublishDialogProps = { brand: BrandDetail; onClose: () => void }

/** Publishes the draft, after showing what it changes. */
export function PublishDialog({ brand, onClose }: PublishDialogProps) {
  const { t } = useTranslation('brands')
  const [note, setNote] = useState('')
  const attempt = useAttempt()
  const publishing = useMutation({
    mutationFn: () =>
      publishBrand(brand.id, note.trim(), attempt.keyOf([brand.id, brand.revision, note.trim()])),
    onError: (error) => wasRejected(error) && attempt.done(),
    onSuccess: ({ number }) => {
      attempt.done()
      toastSuccess(t('publishedNow', { number }))
      onClose()
    },
  })
  const publish = useExclusiveMutate(publishing)
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('publishTitle', { number: (brand.version ?? 0) + 1 })}
      description={t('publishHelp')}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void publish()
        }}
      >
        <FormError title={publishing.isError ? t('publishFailed') : null}>
          {publishing.isError && messageOf(publishing.error)}
        </FormError>
        {brand.version === null ? (
          <p className="text-muted">{t('publishFirst')}</p>
        ) : (
          <Changes changes={brand.draft_changes} />
        )}
        <Field label={t('note')}>
          <Input
            autoFocus
            value={note}
            maxLength={500}
            placeholder={t('notePlaceholder')}
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        <Button type="submit" variant="primary" busy={publishing.isPending} className="justify-self-end">
          {t('publish', { number: (brand.version ?? 0) + 1 })}
        </Button>
      </form>
    </Dialog>
  )
}
