import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { LoadError } from '@/components/load-error'
import { Card, Skeleton } from '@/components/surfaces'
import {
  addPasskey,
  newRecoveryCodes,
  type PasskeyInfo,
  removePasskey,
  removeTotp,
  secondFactorsQuery,
} from '@/lib/api/security'
import { moment } from '@/lib/format'
import { hasPasskeys } from '@/lib/passkeys'
import { toast } from '@/lib/toasts'
import { ConfirmPassword } from '../confirm-password'
import { AuthenticatorSetUp } from './authenticator-set-up'
import { RecoveryCodesDialog, RenamePasskey } from './dialogs'

type Open =
  | { kind: 'app' | 'removeApp' | 'passkey' | 'newCodes' }
  | { kind: 'removePasskey' | 'rename'; passkey: PasskeyInfo }
  | { kind: 'codes'; codes: string[] }

/** The authenticator app, the passkeys and the recovery codes of the user. */
export function SecondFactors() {
  const { t } = useTranslation('account')
  const { data, isPending, isError, refetch } = useQuery(secondFactorsQuery)
  const [open, setOpen] = useState<Open | null>(null)
  return (
    <Card className="flex flex-col gap-3.5 p-5.5">
      <div>
        <h2 className="font-serif text-title">{t('factors.title')}</h2>
        <p className="mt-1 text-muted">{t('factors.help')}</p>
      </div>
      {isPending && <Skeleton className="h-28" />}
      {isError && <LoadError text={t('factors.loadFailed')} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Row
            title={t('factors.app')}
            facts={
              data.totp_since
                ? t('factors.appSince', { time: moment(data.totp_since) })
                : t('factors.appNone')
            }
          >
            {data.totp_since ? (
              <IconButton
                label={t('factors.remove', { name: t('factors.app') })}
                icon={<Trash2 />}
                onClick={() => setOpen({ kind: 'removeApp' })}
              />
            ) : (
              <Button onClick={() => setOpen({ kind: 'app' })}>{t('factors.setUp')}</Button>
            )}
          </Row>
          <Row
            title={t('factors.passkeys')}
            facts={t(data.passkeys_available ? 'factors.passkeyHelp' : 'factors.passkeyUnavailable')}
          >
            {data.passkeys_available && hasPasskeys() && (
              <Button onClick={() => setOpen({ kind: 'passkey' })}>
                <Plus />
                {t('factors.addPasskey')}
              </Button>
            )}
          </Row>
          {data.passkeys.length > 0 && (
            <ul className="pl-4">
              {data.passkeys.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  onRename={() => setOpen({ kind: 'rename', passkey })}
                  onRemove={() => setOpen({ kind: 'removePasskey', passkey })}
                />
              ))}
            </ul>
          )}
          {(data.totp_since || data.passkeys.length > 0) && (
            <Row
              title={t('factors.codes')}
              facts={t('factors.codesLeft', { count: data.recovery_codes_left })}
            >
              <Button onClick={() => setOpen({ kind: 'newCodes' })}>{t('factors.newCodes')}</Button>
            </Row>
          )}
        </>
      )}
      {open && data && <Dialogs open={open} setOpen={setOpen} needsPassword={data.has_password} />}
    </Card>
  )
}

type DialogsProps = { open: Open; setOpen: (open: Open | null) => void; needsPassword: boolean }

/** The dialog that is open. New recovery codes are shown after the one that made them. */
function Dialogs({ open, setOpen, needsPassword }: DialogsProps) {
  const { t } = useTranslation('account')
  const close = () => setOpen(null)
  const showCodes = (codes: string[] | null) => setOpen(codes && { kind: 'codes', codes })
  const shared = { needsPassword, onClose: close }

  async function add(password: string, name: string): Promise<void> {
    const codes = await addPasskey(password, name)
    if (codes === undefined) toast({ title: t('factors.cancelled') })
    showCodes(codes ?? null)
  }
  switch (open.kind) {
    case 'app':
      return <AuthenticatorSetUp {...shared} onDone={showCodes} />
    case 'removeApp':
      return (
        <ConfirmPassword
          {...shared}
          title={t('factors.removeApp')}
          submit={t('factors.removeButton')}
          danger
          onConfirm={async (password) => {
            await removeTotp(password)
            close()
          }}
        />
      )
    case 'removePasskey':
      return (
        <ConfirmPassword
          {...shared}
          title={t('factors.removePasskey')}
          submit={t('factors.removeButton')}
          danger
          onConfirm={async (password) => {
            await removePasskey(open.passkey.id, password)
            close()
          }}
        />
      )
    case 'newCodes':
      return (
        <ConfirmPassword
          {...shared}
          title={t('factors.replaceCodes')}
          help={t('factors.replaceHelp')}
          submit={t('factors.newCodes')}
          onConfirm={async (password) => showCodes(await newRecoveryCodes(password))}
        />
      )
    case 'passkey':
      return (
        <ConfirmPassword
          {...shared}
          title={t('factors.addPasskey')}
          submit={t('factors.confirm')}
          withName
          onConfirm={add}
        />
      )
    case 'rename':
      return <RenamePasskey passkey={open.passkey} onClose={close} />
    case 'codes':
      return <RecoveryCodesDialog codes={open.codes} onClose={close} />
  }
}

function Row({ title, facts, children }: { title: string; facts: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-hairline border-t pt-3">
      <div className="min-w-0 flex-1 basis-48">
        <h3 className="font-semibold">{title}</h3>
        <p className="text-muted text-xs">{facts}</p>
      </div>
      {children}
    </div>
  )
}

type PasskeyRowProps = { passkey: PasskeyInfo; onRename: () => void; onRemove: () => void }

function PasskeyRow({ passkey: { name, created_at }, onRename, onRemove }: PasskeyRowProps) {
  const { t } = useTranslation('account')
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-center gap-1 py-1">
      <div className="min-w-0">
        <h4 className="truncate font-semibold">{name}</h4>
        <p className="text-muted text-xs">{t('factors.passkeyFacts', { time: moment(created_at) })}</p>
      </div>
      <IconButton label={t('factors.rename', { name })} icon={<Pencil />} onClick={onRename} />
      <IconButton label={t('factors.remove', { name })} icon={<Trash2 />} onClick={onRemove} />
    </li>
  )
}
