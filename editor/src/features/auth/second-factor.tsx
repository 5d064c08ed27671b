import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/button'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { type Challenge, passkeyProof, type SecondFactorProof, showSecondFactor } from '@/lib/api/identity'
import { i18n } from '@/lib/i18n'
import { hasPasskeys } from '@/lib/passkeys'
import { toastError } from '@/lib/toasts'
import { AuthForm, useAuthForm } from './auth-form'
import '@/lib/i18n/auth'

const schema = z.object({
  code: z.string().check(z.trim(), z.minLength(6, { error: () => i18n.t('auth:second.codeMissing') })),
})

/** Six digits are a code of the app; anything else is a recovery code. */
export function proofOf(entered: string): SecondFactorProof {
  const plain = entered.replace(/\s/g, '')
  return /^\d{6}$/.test(plain) ? { code: plain } : { recovery_code: plain }
}

type SecondFactorStepProps = {
  challenge: Challenge
  onDone: (next: Challenge | null) => Promise<void>
  onLeave: () => void
}

/** The step after the password: a code of the app, a recovery code or a passkey. */
export function SecondFactorStep({ challenge, onDone, onLeave }: SecondFactorStepProps) {
  const { t } = useTranslation('auth')
  const { form, frame, errors } = useAuthForm<z.infer<typeof schema>>(
    schema,
    { code: '' },
    {
      failed: () => t('second.failed'),
      submit: async ({ code }) => onDone(await showSecondFactor(challenge.token, proofOf(code))),
    },
  )
  return (
    <AuthForm
      title={t('second.title')}
      help={t(challenge.factors.includes('totp') ? 'second.help' : 'second.helpPasskey')}
      submit={t('second.submit')}
      {...frame}
      footer={
        <>
          {challenge.factors.includes('passkey') && (
            <PasskeyButton
              token={challenge.token}
              onProof={async (proof) => onDone(await showSecondFactor(challenge.token, proof))}
            />
          )}
          <Button variant="ghost" onClick={onLeave}>
            {t('backToSignIn')}
          </Button>
        </>
      }
    >
      <Field label={t('second.code')} error={errors.code?.message}>
        <Input autoComplete="one-time-code" spellCheck={false} autoFocus {...form.register('code')} />
      </Field>
    </AuthForm>
  )
}

type PasskeyButtonProps = { token: string; onProof: (proof: SecondFactorProof) => Promise<void> }

/** Shows a passkey as the second factor. */
export function PasskeyButton({ token, onProof }: PasskeyButtonProps) {
  const { t } = useTranslation('auth')
  const [busy, setBusy] = useState(false)
  if (!hasPasskeys()) return null
  async function show() {
    setBusy(true)
    try {
      const proof = await passkeyProof(token)
      if (proof) await onProof(proof)
    } catch (error) {
      toastError(t('second.failed'), error)
    }
    setBusy(false)
  }
  return (
    <Button size="lg" shape="block" busy={busy} onClick={() => void show()}>
      <KeyRound />
      {t('second.passkey')}
    </Button>
  )
}
