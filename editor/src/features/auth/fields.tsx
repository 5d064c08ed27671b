import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { PasswordChecklist } from '@/components/password-checklist'
import { PasswordInput } from '@/components/password-input'
import '@/lib/i18n/auth'

/** A field for a user name or an e-mail address: not capitalized, corrected or spell-checked. */
export function UsernameInput(props: ComponentProps<typeof Input>) {
  return <Input autoComplete="username" autoCapitalize="none" spellCheck={false} {...props} />
}

type PasswordProps = ComponentProps<typeof PasswordInput>
type FieldError = { message?: string } | undefined

type NewPasswordFieldsProps = {
  label: string
  /** The entered password, which is checked against the rules. */
  typed: string
  password: PasswordProps
  confirmation: PasswordProps
  errors: { password?: FieldError; confirmation?: FieldError }
}

/** A new password with its rules, and its confirmation. */
export function NewPasswordFields({ label, typed, password, confirmation, errors }: NewPasswordFieldsProps) {
  const { t } = useTranslation('auth')
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <Field label={label} error={errors.password?.message}>
          <PasswordInput autoComplete="new-password" {...password} />
        </Field>
        <PasswordChecklist password={typed} />
      </div>
      <Field label={t('confirmPassword')} error={errors.confirmation?.message}>
        <PasswordInput autoComplete="new-password" {...confirmation} />
      </Field>
    </>
  )
}

export function BackToSignIn() {
  const { t } = useTranslation('auth')
  return (
    <Link to="/login" className="text-center font-semibold text-ink hover:underline">
      {t('backToSignIn')}
    </Link>
  )
}
