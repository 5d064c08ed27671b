import { Download } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { messageOf } from '@/lib/api/error'
import { type PasskeyInfo, renamePasskey } from '@/lib/api/security'
import { useExclusive } from '@/lib/attempt'
import { saveBlob } from '@/lib/files/download'

type RenamePasskeyProps = { passkey: PasskeyInfo; onClose: () => void }

export function RenamePasskey({ passkey, onClose }: RenamePasskeyProps) {
  const { t } = useTranslation('account')
  const id = useId()
  const [name, setName] = useState(passkey.name)
  const [error, setError] = useState<string>()

  const rename = useExclusive(async () => {
    if (!name.trim()) return setError(t('factors.nameMissing'))
    await renamePasskey(passkey.id, name.trim()).then(onClose, (reason: unknown) =>
      setError(messageOf(reason)),
    )
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    void rename()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      size="sm"
      title={t('factors.renameTitle')}
      footer={
        <Button type="submit" form={id} variant="primary">
          {t('save', { ns: 'common' })}
        </Button>
      }
    >
      <form id={id} noValidate onSubmit={submit}>
        <Field label={t('factors.passkeyName')} error={error}>
          <Input autoFocus maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  )
}

type RecoveryCodesDialogProps = { codes: readonly string[]; onClose: () => void }

/** Shows new recovery codes, which the server cannot show again. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { t } = useTranslation('account')
  const download = () =>
    saveBlob(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'impasto-recovery-codes.txt')
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      size="sm"
      title={t('factors.codesTitle')}
      description={t('factors.codesHelp')}
      footer={
        <>
          <Button onClick={download}>
            <Download />
            {t('factors.download')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('factors.done')}
          </Button>
        </>
      }
    >
      <ul className="grid gap-x-6 gap-y-1.5 rounded-m bg-sunken px-4 py-3.5 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  )
}
