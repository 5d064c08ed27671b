import type { FormEventHandler, ReactNode } from 'react'
import { Button } from '@/components/button'
import { FormError } from '@/components/form-error'
import { useTitle } from '@/lib/use-title'
import type { Failure } from './use-auth-form'

type AuthFormProps = {
  title: string
  help?: ReactNode
  onSubmit: FormEventHandler<HTMLFormElement>
  failure: Failure | null
  busy: boolean
  /** What its one button says. */
  submit: string
  disabled?: boolean
  /** The other ways on from here. */
  footer: ReactNode
  children: ReactNode
}

/** The column that the pages before the session have in common: the fields, what went wrong, the button. */
export function AuthForm({ title, help, onSubmit, failure, children, ...rest }: AuthFormProps) {
  const { busy, submit, disabled, footer } = rest
  useTitle(title)
  return (
    <form noValidate className="flex flex-col gap-4.5" onSubmit={onSubmit}>
      <header className="mb-1.5">
        <h1 className="font-serif text-display">{title}</h1>
        {help && <p className="mt-3 text-md text-muted">{help}</p>}
      </header>
      {children}
      <FormError title={failure?.title}>{failure?.reason}</FormError>
      <Button type="submit" variant="primary" size="lg" shape="block" busy={busy} disabled={disabled}>
        {submit}
      </Button>
      {footer}
    </form>
  )
}
