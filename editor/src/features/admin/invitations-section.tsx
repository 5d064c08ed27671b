import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Chip } from '@/components/chip'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import {
  type InvitationItem,
  invitationsQuery,
  invite,
  resendInvitation,
  revokeInvitation,
} from '@/lib/api/admin'
import { messageOf } from '@/lib/api/error'
import { useExclusive } from '@/lib/attempt'
import { moment } from '@/lib/format'
import { toastError, toastSuccess } from '@/lib/toasts'
import { Pages } from './list'

const tones = { open: 'cobalt', expired: 'ochre', accepted: 'viridian', revoked: 'faint' } as const

export function InvitationsSection() {
  const { t } = useTranslation('admin')
  const query = useInfiniteQuery(invitationsQuery)
  return (
    <>
      <InviteForm />
      <Pages
        query={query}
        label={t('invitations')}
        empty={t('invitation.none')}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('invitation.email'),
            cell: ({ email }) => <span className="font-semibold">{email}</span>,
          },
          {
            title: t('status'),
            cell: ({ state }) => (
              <Chip dot tone={tones[state]}>
                {t(`invitation.${state}`)}
              </Chip>
            ),
          },
          { title: t('invitation.expires'), cell: ({ expires_at }) => moment(expires_at) },
          { title: t('actions'), end: true, cell: (item) => <Actions item={item} /> },
        ]}
      />
    </>
  )
}

function InviteForm() {
  const { t } = useTranslation('admin')
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = useExclusive(async () => {
    setBusy(true)
    setError(undefined)
    await invite(email.trim()).then(
      () => {
        toastSuccess(t('invitation.sent', { email: email.trim() }))
        setEmail('')
      },
      (failed: unknown) => setError(messageOf(failed)),
    )
    setBusy(false)
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    void send()
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-wrap items-end gap-2.5">
      <Field label={t('invitation.email')} error={error} className="min-w-50 flex-1">
        <Input type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
      </Field>
      <Button type="submit" variant="primary" busy={busy} disabled={!email.trim()}>
        {t('invitation.send')}
      </Button>
    </form>
  )
}

function Actions({ item: { id, email, state } }: { item: InvitationItem }) {
  const { t } = useTranslation('admin')
  if (state === 'accepted' || state === 'revoked') return null
  const act = (work: Promise<void>, done: string) =>
    void work.then(
      () => toastSuccess(done),
      (error: unknown) => toastError(email, error),
    )
  return (
    <span className="inline-flex gap-1.5">
      <Button
        size="sm"
        aria-label={t('invitation.resendTo', { email })}
        onClick={() => act(resendInvitation(id), t('invitation.sent', { email }))}
      >
        {t('invitation.resend')}
      </Button>
      <Button
        size="sm"
        variant="danger"
        aria-label={t('invitation.revokeOf', { email })}
        onClick={() => act(revokeInvitation(id), t('invitation.revoked'))}
      >
        {t('invitation.revoke')}
      </Button>
    </span>
  )
}
